import { Button, Loader } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { ErrorNotice } from './notice.tsx';
import './pending.css';

interface PendingProps {
  /** What is read, as it stands in a sentence: "the packages". */
  what: string;
  /** Why it could not be read, if so. */
  error: Error | null | undefined;
}

/**
 * In the place of what has not been read. A read that takes its time is shown after half a second, as nearly all are done by then; one that
 * failed says why, and can be tried again.
 */
export function Pending({ what, error }: PendingProps) {
  const client = useQueryClient();
  if (error === null || error === undefined) {
    return (
      <div className="gh-waiting" role="status">
        <Loader size={14} aria-hidden="true" /> Reading {what}…
      </div>
    );
  }
  return (
    <div className="gh-read-failed">
      <ErrorNotice
        title={`${what.charAt(0).toUpperCase()}${what.slice(1)} could not be read`}
        error={error}
        actions={
          <Button
            variant="default"
            size="compact-xs"
            onClick={() => void client.refetchQueries({ predicate: (query) => query.state.status === 'error' })}
          >
            Try again
          </Button>
        }
      />
    </div>
  );
}
