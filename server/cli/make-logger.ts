import pino from 'pino';
import type { Logger } from 'pino';

/** Lines of JSON on the error stream. */
export function makeLogger(level: string): Logger {
  return pino({ level, base: null }, pino.destination({ fd: 2, sync: false }));
}
