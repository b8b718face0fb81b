import { Button } from '@mantine/core';
import { IconHourglassHigh } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useReleases } from '../../../api/releases.ts';
import { plural } from '../../../ui/text/format.ts';
import './waiting-releases.css';

interface WaitingReleasesProps {
  /** Only those of this package. */
  name?: string;
  projectId?: number;
}

/** Above the packages, or one of them: what waits for approval, with the way to the inbox. */
export function WaitingReleases({ name, projectId }: WaitingReleasesProps) {
  const { data: all = [] } = useReleases();
  const waiting = all.filter(
    (each) => (name === undefined || each.name === name) && (projectId === undefined || each.projectId === projectId),
  );
  const [first] = waiting;
  if (first === undefined) return null;
  const names = waiting.map((each) => (name === undefined ? `${each.name}@${each.version}` : each.version));
  return (
    <div className="gh-waiting-releases" role="status">
      <IconHourglassHigh size={16} aria-hidden="true" />
      <span className="gh-truncate">
        {plural(waiting.length, 'request')} {waiting.length === 1 ? 'waits' : 'wait'} for approval: {names.join(', ')}
      </span>
      <span className="gh-spacer" />
      <Button
        flex="none"
        size="compact-xs"
        variant="default"
        renderRoot={(props) => <Link {...props} to="/inbox" search={{ id: first.id }} />}
      >
        Review
      </Button>
    </div>
  );
}
