import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Log } from '../lib/log.ts';
import { npmErrorAnswer } from './npm/npm-errors.ts';
import { drain } from './request-body.ts';
import { withoutSecrets } from './request-log.ts';
import { rawPathOf, sendJson } from './respond.ts';
import { asGatehouseError } from '../lib/as-gatehouse-error.ts';

/** Answers a request with what went wrong, in the words of npm's API, or cuts it if the answer has begun. The server's own failures are logged. */
export function refuse(log: Log, req: IncomingMessage, res: ServerResponse, error: unknown): void {
  const known = asGatehouseError(error);
  if (known.status >= 500 && known.code !== 'shutting_down')
    log.error({ err: error, url: withoutSecrets(rawPathOf(req)) }, 'request failed');
  if (res.headersSent) {
    res.destroy();
    return;
  }
  const { status, body, headers } = npmErrorAnswer(known);
  sendJson(res, status, body, { ...headers, ...(known.code === 'request_timeout' ? { Connection: 'close' } : {}) });
  if (known.code === 'request_timeout') res.once('finish', () => req.destroy());
  else drain(req);
}
