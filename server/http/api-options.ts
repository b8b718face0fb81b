import type { Log } from '../lib/log.ts';
import type { Registry } from '../services.ts';
import type { HostPolicy } from './caller.ts';
import type { ReadyAnswers } from './npm/ready-answers.ts';
import type { RequestLog } from './request-log.ts';
import type { TokenGuard } from './token-guard.ts';

/** What the HTTP interface of a registry needs. */
export interface AppOptions {
  readonly registry: Registry;
  readonly hosts: HostPolicy;
  readonly log: Log;
  /** Whether the server takes requests: false while it drains. */
  readonly isReady: () => boolean;
  readonly requests: RequestLog;
  readonly ready: ReadyAnswers;
}

/** What both APIs need. */
export interface ApiOptions extends Pick<AppOptions, 'registry' | 'hosts' | 'log' | 'ready'> {
  readonly guard: TokenGuard;
}
