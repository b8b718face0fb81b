import { useState } from 'react';
import { formatCount } from '../../ui/format.ts';

interface DayBarsProps {
  title: string;
  /** "publish", "publishes". */
  unit: readonly [string, string];
  days: readonly { day: string; count: number }[];
}

const date = new Intl.DateTimeFormat('en', { month: 'short', day: 'numeric', timeZone: 'UTC' });
const height = 100;
const step = 10;

/** Counts of the last days as bars; the day under the pointer is read out above. */
export function DayBars({ title, unit, days }: DayBarsProps) {
  const [pointed, setPointed] = useState<number>();
  const total = days.reduce((sum, each) => sum + each.count, 0);
  const highest = Math.max(1, ...days.map((each) => each.count));
  const say = (count: number) => `${formatCount(count)} ${count === 1 ? unit[0] : unit[1]}`;
  const day = pointed === undefined ? undefined : days[pointed];
  const first = days[0];
  const last = days.at(-1);
  return (
    <section className="gh-card" aria-label={title}>
      <div className="gh-card-head">
        <h2>{title}</h2>
        <span className="gh-muted">
          {day ? `${date.format(new Date(day.day))}: ${say(day.count)}` : `${say(total)} in ${days.length} days`}
        </span>
      </div>
      <p className="gh-visually-hidden">{say(Math.max(0, ...days.map((each) => each.count)))} on the busiest day.</p>
      <svg
        className="gh-bars"
        viewBox={`0 0 ${days.length * step} ${height}`}
        preserveAspectRatio="none"
        aria-hidden="true"
        onMouseLeave={() => setPointed(undefined)}
      >
        {days.map((each, index) => {
          const tall = each.count === 0 ? 1.5 : Math.max(3, (each.count / highest) * height);
          return (
            <g key={each.day} onMouseEnter={() => setPointed(index)}>
              <rect x={index * step} y={0} width={step} height={height} className="gh-bars-ground" />
              <rect
                x={index * step + 1.2}
                y={height - tall}
                width={step - 2.4}
                height={tall}
                data-empty={each.count === 0 || undefined}
              />
            </g>
          );
        })}
      </svg>
      <div className="gh-bars-axis" aria-hidden="true">
        <span>{first ? date.format(new Date(first.day)) : ''}</span>
        <span>{last ? date.format(new Date(last.day)) : ''}</span>
      </div>
    </section>
  );
}
