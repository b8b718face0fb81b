import type { Log } from '../lib/log.ts';
import { WhenNeeded } from '../lib/when-needed.ts';
import { makeLogger } from './make-logger.ts';

/** The log of a server. Made by its first line, which most servers never write. */
export function openLog(level: string): Log {
  const logger = new WhenNeeded(() => makeLogger(level));
  return {
    error(facts, message) {
      logger.value.error(facts, message);
    },
  };
}
