import { Button } from '@mantine/core';
import { useServerLog } from '../../api/app.ts';
import { LogSnippet } from '../../ui/log-snippet.tsx';
import { Setting } from './setting.tsx';

/** What the server wrote last: warnings and faults, nothing on a good day. */
export function LogSetting() {
  const { data: lines = [], refetch, isFetching } = useServerLog();
  const text =
    lines.length === 0
      ? 'The registry has written nothing, which means that nothing went wrong.'
      : 'What the registry wrote last.';
  return (
    <Setting title="Log" text={text}>
      <Button variant="default" loading={isFetching} onClick={() => void refetch()}>
        Read again
      </Button>
      {lines.length === 0 ? null : (
        <div className="gh-settings-log">
          <LogSnippet lines={lines} />
        </div>
      )}
    </Setting>
  );
}
