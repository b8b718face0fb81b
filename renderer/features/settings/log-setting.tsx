import { Button } from '@mantine/core';
import { useServerLog } from '../../api/app.ts';
import { readLogLine } from '../../ui/log-line.ts';
import { Snippet } from '../../ui/snippet.tsx';

/** What the server wrote last: warnings and faults, nothing on a good day. */
export function LogSetting() {
  const { data: lines = [], refetch, isFetching } = useServerLog();
  return (
    <section className="gh-setting">
      <div>
        <h2>Log</h2>
        <p>
          {lines.length === 0
            ? 'The registry has written nothing, which means that nothing went wrong.'
            : 'What the registry wrote last.'}
        </p>
      </div>
      <Button variant="default" loading={isFetching} onClick={() => void refetch()}>
        Read again
      </Button>
      {lines.length === 0 ? null : (
        <div className="gh-settings-log">
          <Snippet
            title="Last lines of the log"
            code={lines.map(readLogLine).join('\n')}
            copied={lines.join('\n')}
            copyLabel="Copy the log"
          />
        </div>
      )}
    </section>
  );
}
