import type { Logger } from 'pino';

/** What request handlers need of the log. */
export type Log = Pick<Logger, 'error' | 'warn' | 'info' | 'debug'>;
