import { useSyncExternalStore } from 'react';
import { formatAgo, formatMoment } from './format.ts';

let now = Date.now();
const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;

// One timer for all times on screen.
function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  timer ??= setInterval(() => {
    now = Date.now();
    for (const each of listeners) each();
  }, 20_000);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

/** "5 minutes ago", updated while it is on screen, with the exact time as its title. */
export function Moment({ time }: { time: number }) {
  const clock = useSyncExternalStore(subscribe, () => now);
  return (
    <time dateTime={new Date(time).toISOString()} title={formatMoment(time)}>
      {formatAgo(time, Math.max(clock, time))}
    </time>
  );
}
