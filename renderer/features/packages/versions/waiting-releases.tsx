import { Button } from '@mantine/core';
import { IconHourglassHigh } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useReleases } from '../../../api/releases.ts';
import { plural } from '../../../ui/text/format.ts';
import { TailText } from '../../../ui/text/tail-text.tsx';
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
  const what = name === undefined ? `${first.name}@${first.version}` : first.version;
  const move = first.kind === 'tag' ? `move ${first.tags.join(' and ')} to ` : '';
  return (
    <div className="gh-waiting-releases" role="status">
      <IconHourglassHigh size={16} aria-hidden="true" />
      {waiting.length === 1 ? (
        <>
          <span>1 request waits for approval: {move}</span>
          <span className="gh-truncate">
            <TailText text={what} tail={first.version.length + 1} />
          </span>
        </>
      ) : (
        <span>{plural(waiting.length, 'request')} wait for approval</span>
      )}
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
