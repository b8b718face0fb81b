import { Button, Progress } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import type { UpdateOffer, UpdateState } from '../../../server/contract/updates.ts';
import { cancelUpdate, checkForUpdate, downloadUpdate, useUpdates } from '../../api/updates.ts';
import { formatBytes, formatDay } from '../../ui/text/format.ts';
import { Moment } from '../../ui/text/moment.tsx';
import { Notice } from '../../ui/feedback/notice.tsx';
import { Setting, SwitchSetting } from './setting.tsx';

interface UpdateSettingsProps {
  checkAtStart: boolean;
  /** The version that runs. */
  version: string;
}

/** Newer versions: look for one, download it. */
export function UpdateSettings({ checkAtStart, version }: UpdateSettingsProps) {
  const state = useUpdates();
  if (state === undefined) return null;
  if (state.phase === 'unsupported')
    return <Setting title="Updates" text="This copy does not update itself. Install a newer one over it." />;
  return (
    <>
      <Setting title="Updates" text={<span role="status">{summary(state, version)}</span>}>
        {state.phase === 'downloading' ? (
          <Button variant="default" onClick={() => void cancelUpdate()}>
            Cancel
          </Button>
        ) : (
          <Button
            variant="default"
            loading={state.phase === 'checking'}
            disabled={state.phase === 'ready'}
            onClick={() => void checkForUpdate()}
          >
            Check now
          </Button>
        )}
        <Details state={state} />
      </Setting>
      <SwitchSetting
        name="checkUpdatesAtStart"
        title="Check for updates at every start"
        text="Nothing is downloaded until you confirm."
        on={checkAtStart}
      />
    </>
  );
}

function summary(state: Exclude<UpdateState, { phase: 'unsupported' }>, version: string) {
  switch (state.phase) {
    case 'idle':
      return 'Not checked since Gatehouse started.';
    case 'checking':
      return 'Checking…';
    case 'newest':
      return (
        <>
          Gatehouse {version} is the newest version. Checked <Moment time={state.checkedAt} />.
        </>
      );
    case 'available':
      return `Gatehouse ${state.offer.version} is available.`;
    case 'downloading': {
      const total = state.total === 0 ? '' : ` of ${formatBytes(state.total)}`;
      return `Downloading Gatehouse ${state.offer.version}: ${formatBytes(state.received)}${total}.`;
    }
    case 'ready':
      return `Gatehouse ${state.offer.version} is downloaded. It is installed when you quit.`;
    case 'failed':
      return state.offer === null ? 'The check failed.' : `Gatehouse ${state.offer.version} could not be downloaded.`;
  }
}

function Details({ state }: { state: UpdateState }) {
  const offer = 'offer' in state ? state.offer : null;
  if (offer === null && state.phase !== 'failed') return null;
  return (
    <div className="gh-setting-wide gh-update">
      {state.phase === 'failed' ? <Notice tone="danger">{state.cause}</Notice> : null}
      {offer === null ? null : <Offer offer={offer} />}
      {state.phase === 'downloading' ? (
        <Progress.Root size="md">
          <Progress.Section
            aria-label={`Download of Gatehouse ${state.offer.version}`}
            value={state.total === 0 ? 100 : (state.received / state.total) * 100}
            animated={state.total === 0}
          />
        </Progress.Root>
      ) : null}
      {offer !== null && (state.phase === 'available' || state.phase === 'failed') ? (
        <div className="gh-row">
          <Button leftSection={<IconDownload size={15} aria-hidden="true" />} onClick={() => void downloadUpdate()}>
            Download and install on quit
          </Button>
        </div>
      ) : null}
    </div>
  );
}

function Offer({ offer }: { offer: UpdateOffer }) {
  const day = offer.releasedAt === null ? null : /^\d{4}-\d\d-\d\d/.exec(offer.releasedAt);
  return (
    <>
      {day === null ? null : <p>Released {formatDay(day[0])}.</p>}
      {offer.notes === null ? null : (
        // Long notes scroll in their box, also by keyboard.
        <pre className="gh-update-notes" role="group" aria-label="Release notes" tabIndex={0}>
          {offer.notes}
        </pre>
      )}
    </>
  );
}
