import { Button } from '@mantine/core';
import type { AppInfo } from '../../../server/contract/bridge.ts';
import { useDataFolderAction } from '../../api/app.ts';
import { ask } from '../../ui/feedback/ask.tsx';
import { PathText } from '../../ui/text/path-text.tsx';
import { ShowFolderButton } from '../../ui/forms/show-folder-button.tsx';
import { Setting } from './setting.tsx';

/** Shows the data folder, moves it, or opens another one. */
export function DataFolderSetting({ info }: { info: AppInfo }) {
  const move = useDataFolderAction('move');
  const open = useDataFolderAction('open');
  const removeFormer = useDataFolderAction('removeFormer');
  const busy = move.isPending || open.isPending;
  const { formerDataDir } = info;
  return (
    <>
      <Setting
        title="Data folder"
        text={
          <>
            <span className="gh-mono">
              <PathText path={info.dataDir} />
            </span>
            {info.dataDirIsFixed ? ' Set by GATEHOUSE_DATA_DIR.' : null}
          </>
        }
      >
        <div className="gh-row">
          <ShowFolderButton />
          {info.dataDirIsFixed ? null : (
            <>
              <Button variant="default" disabled={busy} onClick={() => move.mutate()}>
                Move…
              </Button>
              <Button variant="default" disabled={busy} onClick={() => open.mutate()}>
                Open another…
              </Button>
            </>
          )}
        </div>
      </Setting>
      {formerDataDir === null ? null : (
        <Setting
          title="Previous data folder"
          text={
            <>
              <span className="gh-mono">{formerDataDir}</span> is a copy from before the move and is no longer used.
            </>
          }
        >
          <Button
            variant="default"
            loading={removeFormer.isPending}
            onClick={() =>
              ask({
                title: 'Delete the previous data folder?',
                consequence: `${formerDataDir} is deleted with everything in it. The registry uses ${info.dataDir}.`,
                action: 'Delete',
                run: () => removeFormer.mutate(),
              })
            }
          >
            Delete…
          </Button>
        </Setting>
      )}
    </>
  );
}
