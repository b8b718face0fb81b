import { Loader } from '@mantine/core';
import { IconCircleCheck } from '@tabler/icons-react';
import { useState } from 'react';
import { useArrivals } from '../../api/connect.ts';
import { Moment } from '../../ui/moment.tsx';

/** Waits, live, for a client to ask this registry for something. */
export function Arrivals() {
  const [since] = useState(() => Date.now());
  const { data: arrivals = [] } = useArrivals(since);
  return (
    <section aria-labelledby="connect-arrived">
      <h2 id="connect-arrived">See it arrive</h2>
      {arrivals.length === 0 ? (
        <p className="gh-row" role="status">
          <Loader size={13} aria-hidden="true" />
          <span>
            Waiting for a client. Run <code>npm ping</code> or install anything in the folder.
          </span>
        </p>
      ) : (
        <ul className="gh-arrivals" aria-live="polite" aria-label="Clients that arrived">
          {arrivals.map((arrival) => (
            <li key={arrival.client}>
              <IconCircleCheck size={17} aria-hidden="true" />
              <strong>{arrival.client}</strong>
              <span className="gh-muted gh-truncate gh-mono">{arrival.path}</span>
              <span className="gh-muted">{arrival.status}</span>
              <span className="gh-muted">
                <Moment time={arrival.at} />
              </span>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
