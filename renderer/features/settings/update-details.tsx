import { Button, Progress } from '@mantine/core';
import { IconDownload, IconExternalLink, IconFolderOpen } from '@tabler/icons-react';
import type { UpdateOffer, Updates } from '../../../server/contract/updates.ts';
import { openExternal } from '../../api/app.ts';
import { checkForUpdate, downloadUpdate, showUpdate, useInstallOnQuit } from '../../api/updates.ts';
import { formatBytes, formatDay } from '../../ui/format.ts';
import { Notice } from '../../ui/notice.tsx';
import './update-details.css';

/** What there is to know and to do about a newer version; nothing as long as there is none. */
export function UpdateDetails({ updates }: { updates: Updates }) {
  const { state, canReplaceItself } = updates;
  switch (state.phase) {
    case 'unknown':
    case 'checking':
    case 'newest':
      return null;
    case 'available':
      return (
        <div className="gh-setting-wide gh-update">
          <About offer={state.offer} />
          {canReplaceItself ? null : <ByHand />}
          <div className="gh-row">
            <DownloadButton offer={state.offer} label="Download" />
            <InBrowserButton offer={state.offer} />
          </div>
        </div>
      );
    case 'downloading':
      return (
        <div className="gh-setting-wide gh-update">
          <About offer={state.offer} />
          <Progress.Root size="md">
            <Progress.Section
              aria-label={`Download of ${state.offer.fileName}`}
              value={state.offer.size === null ? 100 : (state.received / state.offer.size) * 100}
              animated={state.offer.size === null}
            />
          </Progress.Root>
        </div>
      );
    case 'downloaded':
      return (
        <div className="gh-setting-wide gh-update">
          <About offer={state.offer} />
          {canReplaceItself ? null : <ByHand />}
          <div className="gh-row">
            {canReplaceItself ? <InstallButton chosen={state.installsOnQuit} /> : null}
            <Button
              variant="default"
              leftSection={<IconFolderOpen size={15} aria-hidden="true" />}
              onClick={() => void showUpdate()}
            >
              Show the file
            </Button>
          </div>
        </div>
      );
    case 'failed':
      return (
        <div className="gh-setting-wide gh-update">
          <Notice
            tone="danger"
            actions={
              state.offer === null ? (
                <Button variant="default" onClick={() => void checkForUpdate()}>
                  Try again
                </Button>
              ) : (
                <>
                  <DownloadButton offer={state.offer} label="Try again" />
                  <InBrowserButton offer={state.offer} />
                </>
              )
            }
          >
            {state.cause} {state.remedy}
          </Notice>
        </div>
      );
  }
}

function About({ offer }: { offer: UpdateOffer }) {
  const day = offer.releasedAt === null ? null : /^\d{4}-\d\d-\d\d/.exec(offer.releasedAt);
  return (
    <>
      <p>
        {day === null ? '' : `Released ${formatDay(day[0])}. `}
        <span className="gh-mono">{offer.fileName}</span>
        {offer.size === null ? '' : `, ${formatBytes(offer.size)}`}
      </p>
      {offer.notes === null ? null : (
        // Long notes scroll in their box, and then by keyboard too.
        <pre className="gh-update-notes gh-scroll" role="group" aria-label="What is new" tabIndex={0}>
          {offer.notes}
        </pre>
      )}
    </>
  );
}

/** Said before somebody waits for a download that then has to be put in place by hand. */
function ByHand() {
  return (
    <p>
      This copy of Gatehouse cannot replace itself. Quit it, then put the new one where it was, or run the installer.
      Your data stays where it is.
    </p>
  );
}

function DownloadButton({ offer, label }: { offer: UpdateOffer; label: string }) {
  return (
    <Button leftSection={<IconDownload size={15} aria-hidden="true" />} onClick={() => void downloadUpdate()}>
      {label}
      {offer.size === null ? '' : ` (${formatBytes(offer.size)})`}
    </Button>
  );
}

function InBrowserButton({ offer }: { offer: UpdateOffer }) {
  return (
    <Button
      variant="default"
      leftSection={<IconExternalLink size={15} aria-hidden="true" />}
      onClick={() => void openExternal(offer.address)}
    >
      Download in the browser
    </Button>
  );
}

function InstallButton({ chosen }: { chosen: boolean }) {
  const { mutate: install, isPending } = useInstallOnQuit();
  return (
    <Button variant={chosen ? 'default' : 'filled'} loading={isPending} onClick={() => install(!chosen)}>
      {chosen ? 'Do not install it' : 'Install when Gatehouse quits'}
    </Button>
  );
}
