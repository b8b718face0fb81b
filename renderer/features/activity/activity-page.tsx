import { SegmentedControl } from '@mantine/core';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { Page } from '../../ui/page/page.tsx';
import '../../ui/page/tabbed.css';
import { Changes } from './changes.tsx';
import { RequestLog } from './request-log.tsx';
import './activity.css';

/** What was changed, and what clients requested. */
export function ActivityPage() {
  const { view = 'changes' } = useSearch({ from: '/activity' });
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
            { value: 'requests', label: 'Requests' },
          ]}
          value={view}
          onChange={(chosen) => void navigate({ search: chosen === 'requests' ? { view: chosen } : {}, replace: true })}
        />
      }
    >
      <div className="gh-tabbed">{view === 'requests' ? <RequestLog /> : <Changes />}</div>
    </Page>
  );
}
