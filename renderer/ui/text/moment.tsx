import { useSyncExternalStore } from 'react';
import { formatAgo, formatDayHeading, formatMoment } from './format.ts';
import { tip } from './tip.ts';

const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;

// One timer for all times on screen. A time is drawn again only when its text differs.
function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  timer ??= setInterval(() => {
    for (const each of listeners) each();
  }, 1_000);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

/**
 * "5 minutes ago" or "in 30 seconds", updated while it is on screen, with the exact time as its tooltip.
 * @param come what a time that is ahead is called once it has come
 */
export function Moment({ time, come }: { time: number; come?: string }) {
  const text = useSyncExternalStore(subscribe, () => {
    const ago = formatAgo(time, Date.now());
    return come !== undefined && ago === 'just now' ? come : ago;
  });
  return (
    <time dateTime={new Date(time).toISOString()} {...tip(formatMoment(time))}>
      {text}
    </time>
  );
}

/** The exact time, and how long ago it is. */
export function ExactMoment({ time }: { time: number }) {
  return (
    <>
      {formatMoment(time)}{' '}
      <span className="gh-muted">
        (<Moment time={time} />)
      </span>
    </>
  );
}

/** Names the day of a time, as "Today" or "Yesterday", and draws its component again when a day ends. */
export function useDayHeading(): (time: number) => string {
  useSyncExternalStore(subscribe, () => new Date().toDateString());
  return (time) => formatDayHeading(time, Date.now());
}
