import { Button, NumberInput, SegmentedControl } from '@mantine/core';
import { IconFolderOpen } from '@tabler/icons-react';
import { useId, useState, type ReactNode } from 'react';
import type { ThemeChoice } from '../../../server/contract/bridge.ts';
import { showDataFolder, useAppInfo, useAppState, useSaveSettings, useSettings } from '../../api/app.ts';
import { ErrorNotice } from '../../ui/notice.tsx';
import { Page } from '../../ui/page.tsx';
import './settings.css';

/** What can be set about the app: theme, port, data folder; and what it is made of. */
export function SettingsPage() {
  const settings = useSettings();
  const info = useAppInfo();
  const { mutate: save } = useSaveSettings();
  if (settings.data === undefined) {
    return <Page title="Settings">{settings.error ? <ErrorNotice error={settings.error} /> : null}</Page>;
  }
  return (
    <Page title="Settings">
      <div className="gh-settings">
        <Setting title="Theme" text="Follows the system as it changes, or stays as chosen.">
          <SegmentedControl
            aria-label="Theme"
            data={[
              { value: 'system', label: 'System' },
              { value: 'light', label: 'Light' },
              { value: 'dark', label: 'Dark' },
            ]}
            value={settings.data.theme}
            onChange={(theme: ThemeChoice) => save({ theme })}
          />
        </Setting>
        <PortSetting key={settings.data.port} port={settings.data.port} />
        {info.data ? (
          <>
            <Setting title="Data folder" text={info.data.dataDir}>
              <Button
                variant="default"
                leftSection={<IconFolderOpen size={15} aria-hidden="true" />}
                onClick={() => void showDataFolder()}
              >
                Show
              </Button>
            </Setting>
            <Setting
              title={`Gatehouse ${info.data.version}`}
              text={`Electron ${info.data.electron}, Chromium ${info.data.chromium}, Node ${info.data.node}`}
            />
          </>
        ) : null}
      </div>
    </Page>
  );
}

function PortSetting({ port }: { port: number }) {
  const label = useId();
  const state = useAppState();
  const { mutate: save, isPending, error } = useSaveSettings();
  const [typed, setTyped] = useState<number | string>(port);
  const value = Number(typed);
  const valid = typed !== '' && Number.isInteger(value) && value >= 0 && value <= 65_535;
  const serving = state.phase === 'ready' && state.port !== port ? ` Serving on ${state.port} now.` : '';
  return (
    <Setting
      titleId={label}
      title="Port"
      text={`It stands in the .npmrc and lock files of everyone who uses this registry. A change restarts the registry; 0 lets the system pick one at every start.${serving}`}
    >
      <form
        className="gh-row"
        onSubmit={(event) => {
          event.preventDefault();
          if (valid) save({ port: value });
        }}
      >
        <NumberInput
          aria-labelledby={label}
          w={104}
          min={0}
          max={65_535}
          allowDecimal={false}
          value={typed}
          onChange={setTyped}
          error={!valid}
        />
        <Button type="submit" variant="default" disabled={!valid || value === port} loading={isPending}>
          Save
        </Button>
      </form>
      {error ? <ErrorNotice error={error} /> : null}
    </Setting>
  );
}

interface SettingProps {
  title: string;
  titleId?: string;
  text: string;
  children?: ReactNode;
}

function Setting({ title, titleId, text, children }: SettingProps) {
  return (
    <section className="gh-setting">
      <div>
        <h2 id={titleId}>{title}</h2>
        <p>{text}</p>
      </div>
      {children}
    </section>
  );
}
