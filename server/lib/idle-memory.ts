import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Milliseconds with few requests after which a server is idle. */
const idleTime = 15_000;
/** Requests in that time with which a server still counts as idle: health checks and metrics are asked for without end. */
const few = 30;
/** Bytes that a server may grow by before a collection is worth its time. */
const worthwhile = 64 * 1024 * 1024;

export interface IdleMemoryOptions {
  /** Grows with each request. */
  readonly requests: () => number;
  readonly memory?: () => number;
  readonly collect?: () => void;
}

/**
 * Returns memory to the system once a load has ended. V8 keeps the pages of its heap while nothing runs, some hundred megabytes of garbage
 * after minutes of load, and gives them back only to a collection of last resort.
 * @returns a function that ends it
 */
export function releaseMemoryWhenIdle({
  requests,
  memory = () => process.memoryUsage.rss(),
  collect = collectAll,
}: IdleMemoryOptions): () => void {
  let [seen, usual] = [requests(), memory()];
  const timer = setInterval(() => {
    const isIdle = requests() - seen < few;
    seen = requests();
    if (!isIdle || memory() < usual + worthwhile) return;
    collect();
    usual = memory();
  }, idleTime);
  timer.unref();
  return () => clearInterval(timer);
}

function collectAll(): void {
  setFlagsFromString('--expose-gc');
  const collector = runInNewContext('gc') as (options: object) => void;
  setFlagsFromString('--no-expose-gc');
  collector({ type: 'major', flavor: 'last-resort' });
}
