import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Milliseconds between two looks at whether anything was asked meanwhile. */
const every = 1000;
/**
 * Looks in a row without a request after which the server counts as idle. A collection to the last also takes code that V8 had made fast, so
 * after a burst it waits until that burst is surely over; a start has nothing fast to lose.
 */
const quietLooks = { afterStart: 2, afterBurst: 60 } as const;
/** Requests up to which a server still counts as just started: somebody looks whether it is there. */
const fewRequests = 100;

/**
 * Gives back what a start or a burst of requests left behind, once nobody asks any more: V8 by itself collects only when it needs room, so
 * an idle server would hold its largest heap for hours. Collects once after the start and after each time of activity.
 * @param requests how many requests there have been; any number that grows
 * @returns what ends it
 */
export function giveBackWhenIdle(requests: () => number, collect: () => void = collectGarbage): () => void {
  let seen = requests();
  let quiet = 0;
  let hasCollected = false;
  let isDue = true;
  const timer = setInterval(() => {
    const now = requests();
    if (now !== seen) {
      seen = now;
      quiet = 0;
      isDue = true;
      return;
    }
    quiet += 1;
    const isStart = !hasCollected && now <= fewRequests;
    if (!isDue || quiet < (isStart ? quietLooks.afterStart : quietLooks.afterBurst)) return;
    collect();
    hasCollected = true;
    isDue = false;
  }, every);
  timer.unref();
  return () => clearInterval(timer);
}

/** Collects garbage to the last, and gives the pages that become free back to the system. Not inside Electron, which freezes V8's flags. */
function collectGarbage(): void {
  if (process.versions['electron'] !== undefined) return;
  setFlagsFromString('--expose-gc');
  // Only contexts that are made after the flag was set have the function; this one goes with its first collection.
  const collect = runInNewContext('gc') as (options: object) => void;
  collect({ type: 'major', execution: 'sync', flavor: 'last-resort' });
}
