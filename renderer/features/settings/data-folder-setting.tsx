import { Button } from '@mantine/core';
import type { AppInfo } from '../../../server/contract/bridge.ts';
import { useDataFolderAction, useRemoveFormerDataFolder } from '../../api/app.ts';
import { ask } from '../../ui/feedback/ask.tsx';
import { showDataOutcome } from '../../ui/feedback/toast.tsx';
import { PathText } from '../../ui/text/path-text.tsx';
import { ShowFolderButton } from '../../ui/forms/show-folder-button.tsx';
import { Setting } from './setting.tsx';

/** Shows the data folder, moves it, opens another one, or deletes a previous one. */
export function DataFolderSetting({ info }: { info: AppInfo }) {
  const move = useDataFolderAction('move', ({ from, to }) =>
    showDataOutcome(
      'Moved the data folder',
      `The registry is in ${to} now. The copy in ${from} stays until you delete it in Settings.`,
    ),
  );
  const open = useDataFolderAction('open', ({ from, to }) => {
    if (from !== to)
      showDataOutcome('Opened another data folder', `The registry is in ${to} now. ${from} stays as it is.`);
  });
  const { mutate: remove, isPending, variables } = useRemoveFormerDataFolder();
  return (
    <>
      <Setting
        title="Data folder"
        text={
          <>
            <span className="gh-mono">
              <PathText path={info.dataDir} />
            </span>
            {info.dataDirIsFixed ? (
              <>
                <br />
                Set by <code>GATEHOUSE_DATA_DIR</code>.
              </>
            ) : null}
          </>
        }
      >
        <div className="gh-row">
          <ShowFolderButton />
          {info.dataDirIsFixed ? null : (
            <>
              <Button
                variant="default"
                loading={move.isPending}
                disabled={open.isPending}
                onClick={() => move.mutate()}
              >
                Move…
              </Button>
              <Button
                variant="default"
                loading={open.isPending}
                disabled={move.isPending}
                onClick={() => open.mutate()}
              >
                Open another…
              </Button>
            </>
          )}
        </div>
      </Setting>
      {info.formerDataDirs.map((folder) => (
        <Setting
          key={folder}
          title="Previous data folder"
          text={
            <>
              <span className="gh-mono">
                <PathText path={folder} />
              </span>{' '}
              is a copy from before the move and is no longer used.
            </>
          }
        >
          <Button
            variant="default"
            aria-label={`Delete… ${folder}`}
            loading={isPending && variables === folder}
            onClick={() =>
              ask({
                title: 'Delete the previous data folder?',
                consequence: `The registry’s data in ${folder} is deleted. The registry uses ${info.dataDir}.`,
                action: 'Delete',
                run: () => remove(folder),
              })
            }
          >
            Delete…
          </Button>
        </Setting>
      ))}
    </>
  );
}
