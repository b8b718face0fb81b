import { SegmentedControl } from '@mantine/core';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { Page } from '../../ui/page/page.tsx';
import '../../ui/page/tabbed.css';
import { Changes } from './changes.tsx';
import { RequestLog } from './request-log.tsx';
import { TokenRequests } from './token-requests.tsx';
import './activity.css';

/** What was changed, and what clients requested. */
export function ActivityPage() {
  const { view = 'changes', q, ...filters } = useSearch({ from: '/activity' });
  // Kept from one list to the other: what a token changed, and its requests.
  const [typed, setTyped] = useState(q ?? '');
  const navigate = useNavigate({ from: '/activity' });
  return (
    <Page
      title="Activity"
      padded={false}
      actions={
        <SegmentedControl
          aria-label="View"
          data={[
            { value: 'changes', label: 'Changes' },
            { value: 'requests', label: 'HTTP requests' },
          ]}
          value={view}
          onChange={(chosen) =>
            void navigate({ search: chosen === 'requests' ? { ...filters, view: chosen } : filters, replace: true })
          }
        />
      }
    >
      <div className="gh-tabbed">
        {view === 'requests' ? (
          <RequestLog typed={typed} onType={setTyped} />
        ) : (
          <>
            <TokenRequests typed={typed} />
            <Changes typed={typed} onType={setTyped} />
          </>
        )}
      </div>
    </Page>
  );
}
