import { Loader } from '@mantine/core';
import { IconCircleCheck } from '@tabler/icons-react';
import { useState } from 'react';
import { tip } from '../../ui/text/tip.ts';
import type { Client } from '../../api/client-lines.ts';
import { useArrivals } from '../../api/connect.ts';
import { clientName } from '../../ui/text/client-name.ts';
import { Moment } from '../../ui/text/moment.tsx';
import { Section } from '../../ui/page/section.tsx';

interface ArrivalsProps {
  client: Client;
  /** Of the packages that the client takes from here; empty for all. */
  scope: string;
}

/** Waits, live, for a request of a client. */
export function Arrivals({ client, scope }: ArrivalsProps) {
  const [since] = useState(() => Date.now());
  const { data: arrivals = [] } = useArrivals(since);
  return (
    <Section title="Verify the connection">
      {arrivals.length === 0 ? (
        <p className="gh-row" role="status">
          <Loader size={13} aria-hidden="true" />
          <span>
            No request since this page was opened. <NextStep client={client} scope={scope} />
          </span>
        </p>
      ) : (
        <ul className="gh-list" aria-live="polite" aria-label="Connected clients">
          {arrivals.map((arrival) => (
            <li key={arrival.client}>
              <IconCircleCheck size={17} color="var(--gh-accent)" aria-hidden="true" />
              <strong {...tip(arrival.client)}>{clientName(arrival.client)}</strong>
              <span className="gh-muted gh-truncate gh-mono">{arrival.path}</span>
              <span className="gh-spacer" />
              <span className="gh-muted">{arrival.status}</span>
              <span className="gh-muted">
                <Moment time={arrival.at} />
              </span>
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}

/** What makes the client ask this registry: `npm ping` asks the one of packages without a scope, and reads npm's own file alone. */
function NextStep({ client, scope }: ArrivalsProps) {
  if (client === 'ci') return 'Run the job.';
  if (scope !== '') {
    return (
      <>
        Install a package of <code>{scope}</code> in the folder.
      </>
    );
  }
  if (client !== 'npm' && client !== 'pnpm') return 'Install a package in the folder.';
  return (
    <>
      Run <code>npm ping</code> or install a package in the folder.
    </>
  );
}
