import { Button, Loader } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useAppState } from '../../api/app.ts';
import { upperFirst } from '../text/format.ts';
import { ErrorNotice } from './notice.tsx';
import './pending.css';

interface PendingProps {
  /** What is read, as it stands in a sentence: "the packages". */
  what: string;
  error: Error | null | undefined;
}

/** In place of data that is not there: a loader, shown after half a second, or the error with a button to try again. */
export function Pending({ what, error }: PendingProps) {
  const client = useQueryClient();
  const state = useAppState();
  if (error === null || error === undefined) {
    return (
      <div className="gh-waiting" role="status">
        <Loader size={14} aria-hidden="true" />{' '}
        {state.phase === 'ready' && !state.answering
          ? `The registry is not answering. Trying to read ${what} again…`
          : `Reading ${what}…`}
      </div>
    );
  }
  return (
    <div className="gh-read-failed">
      <ErrorNotice
        title={`${upperFirst(what)} could not be read`}
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
