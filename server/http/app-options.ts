import type { Registry } from '../services.ts';
import type { HostPolicy } from './caller.ts';
import type { Log } from '../lib/log.ts';
import type { ReadyAnswers } from './npm/ready-answers.ts';
import type { RequestLog } from './request-log.ts';

/** What the HTTP face of a registry needs. */
export interface AppOptions {
  readonly registry: Registry;
  readonly hosts: HostPolicy;
  readonly log: Log;
  /** Whether the server takes requests: false while it starts and while it drains. */
  readonly isReady: () => boolean;
  readonly requests: RequestLog;
  readonly ready: ReadyAnswers;
}
