import { Button, TextInput } from '@mantine/core';
import { useId, useState } from 'react';
import type { AppSettings } from '../../../server/contract/bridge.ts';
import { useSaveSettings } from '../../api/app.ts';
import { checkForUpdate, stopUpdate, useUpdates } from '../../api/updates.ts';
import { ErrorNotice } from '../../ui/notice.tsx';
import { Setting } from './setting.tsx';
import { SwitchSetting } from './switch-setting.tsx';
import { UpdateDetails } from './update-details.tsx';
import { UpdateSummary } from './update-summary.tsx';

interface UpdateSettingsProps {
  settings: AppSettings;
  /** The version that runs. */
  version: string;
}

/** Newer versions: whom to ask for them, when, and what came of it. */
export function UpdateSettings({ settings, version }: UpdateSettingsProps) {
  const updates = useUpdates();
  if (updates === undefined) return null;
  const { state, feed, builtInFeed } = updates;
  const busy = state.phase === 'checking' || state.phase === 'downloading';
  return (
    <>
      <Setting title="Updates" text={<UpdateSummary updates={updates} version={version} />}>
        {busy ? (
          <Button variant="default" onClick={() => void stopUpdate()}>
            Stop
          </Button>
        ) : (
          <Button variant="default" disabled={feed === null} onClick={() => void checkForUpdate()}>
            Check now
          </Button>
        )}
        <UpdateDetails updates={updates} />
      </Setting>
      <FeedSetting saved={settings.updateFeed} builtIn={builtInFeed} />
      <SwitchSetting
        name="checkUpdatesAtStart"
        title="Look for updates at every start"
        text="Asks the address above once. Nothing is downloaded before you say so."
        on={settings.checkUpdatesAtStart}
      />
    </>
  );
}

/** The address that is asked. Follows what another window saves, as long as nothing is typed here. */
function FeedSetting({ saved, builtIn }: { saved: string | null; builtIn: string | null }) {
  const textId = useId();
  const { mutate: save, isPending, error } = useSaveSettings({ handlesErrors: true });
  const [draft, setDraft] = useState<string>();
  const typed = draft ?? saved ?? '';
  const wanted = typed.trim() === '' ? null : typed.trim();
  return (
    <Setting
      textId={textId}
      title="Address for updates"
      text="The folder that Gatehouse is published in, with latest.yml or its like. It must begin with https://."
    >
      <form
        className="gh-row"
        onSubmit={(event) => {
          event.preventDefault();
          if (wanted !== saved) save({ updateFeed: wanted }, { onSuccess: () => setDraft(undefined) });
        }}
      >
        <TextInput
          type="url"
          aria-label="Address for updates"
          aria-describedby={textId}
          w={260}
          placeholder={builtIn ?? 'None'}
          value={typed}
          onChange={(event) => setDraft(event.currentTarget.value)}
          error={error !== null}
        />
        <Button
          type="submit"
          variant="default"
          aria-label="Save: Address for updates"
          disabled={wanted === saved}
          loading={isPending}
        >
          Save
        </Button>
      </form>
      {error ? (
        <div className="gh-setting-wide">
          <ErrorNotice error={error} />
        </div>
      ) : null}
    </Setting>
  );
}
