import { VisuallyHidden } from '@mantine/core';
import { useState, type KeyboardEvent } from 'react';
import { dateLocale } from '../../api/date-locale.ts';
import { formatCount } from '../../ui/text/format.ts';

interface DayBarsProps {
  title: string;
  /** "publish", "publishes". */
  unit: readonly [string, string];
  days: readonly { day: string; count: number }[];
}

const date = new Intl.DateTimeFormat(dateLocale, { month: 'short', day: 'numeric', timeZone: 'UTC' });

/** A bar chart of counts by day. The day under the pointer, or chosen with arrow keys, is shown above. */
export function DayBars({ title, unit, days }: DayBarsProps) {
  const [pointed, setPointed] = useState<number>();
  const total = days.reduce((sum, each) => sum + each.count, 0);
  const highest = Math.max(1, ...days.map((each) => each.count));
  const say = (count: number) => `${formatCount(count)} ${count === 1 ? unit[0] : unit[1]}`;
  const day = pointed === undefined ? undefined : days[pointed];
  const first = days[0];
  const last = days.at(-1);
  const read = (each: DayBarsProps['days'][number]) => `${date.format(new Date(each.day))}: ${say(each.count)}`;
  const newest = days.length - 1;
  const walk = (event: KeyboardEvent) => {
    const from = pointed ?? newest;
    const target = { ArrowLeft: from - 1, ArrowRight: from + 1, Home: 0, End: newest }[event.key];
    if (target === undefined) return;
    event.preventDefault();
    setPointed(Math.min(newest, Math.max(0, target)));
  };
  return (
    <section className="gh-card" aria-label={title}>
      <div className="gh-card-head">
        <h2>{title}</h2>
        <span className="gh-muted gh-figures">
          {day ? read(day) : total === 0 ? '' : `${formatCount(total)} in ${days.length} days`}
        </span>
      </div>
      <VisuallyHidden>{say(Math.max(0, ...days.map((each) => each.count)))} on the busiest day.</VisuallyHidden>
      <div
        className="gh-bars"
        data-empty={total === 0 || undefined}
        // The closest role that screen readers know.
        role="slider"
        tabIndex={0}
        aria-label={`${title} by day`}
        aria-readonly="true"
        aria-valuemin={1}
        aria-valuemax={days.length}
        aria-valuenow={(pointed ?? newest) + 1}
        aria-valuetext={day ? read(day) : last ? read(last) : ''}
        onKeyDown={walk}
        onFocus={() => setPointed((now) => now ?? newest)}
        onBlur={() => setPointed(undefined)}
        onMouseLeave={() => setPointed(undefined)}
      >
        {total === 0 ? (
          <span className="gh-bars-none">None in {days.length} days</span>
        ) : (
          <span className="gh-bars-top">{formatCount(highest)}</span>
        )}
        {days.map((each, index) => (
          <div
            key={each.day}
            className="gh-bar"
            data-pointed={index === pointed || undefined}
            onMouseEnter={() => setPointed(index)}
          >
            <span style={{ height: `${(each.count / highest) * 100}%` }} data-empty={each.count === 0 || undefined} />
          </div>
        ))}
      </div>
      <div className="gh-bars-axis" aria-hidden="true">
        <span>{first ? date.format(new Date(first.day)) : ''}</span>
        <span>{last ? date.format(new Date(last.day)) : ''}</span>
      </div>
    </section>
  );
}
