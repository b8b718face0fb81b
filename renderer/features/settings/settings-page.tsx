import { SegmentedControl } from '@mantine/core';
import type { ThemeChoice } from '../../../server/contract/bridge.ts';
import { useAppInfo, useAppState, useSaveSettings, useSettings } from '../../api/app.ts';
import { Pending } from '../../ui/pending.tsx';
import { Page } from '../../ui/page.tsx';
import { DataFolderSetting } from './data-folder-setting.tsx';
import { LogSetting } from './log-setting.tsx';
import { NumberSetting } from './number-setting.tsx';
import { Setting } from './setting.tsx';
import { SwitchSetting } from './switch-setting.tsx';
import { UpdateSettings } from './update-settings.tsx';
import './settings.css';

/** What can be set about the app, and what it is made of. */
export function SettingsPage() {
  const { data: settings, error } = useSettings();
  const { data: info } = useAppInfo();
  const { mutate: save } = useSaveSettings();
  const state = useAppState();
  if (settings === undefined) {
    return (
      <Page title="Settings">
        <Pending what="the settings" error={error} />
      </Page>
    );
  }
  const { port, largestTarball } = settings;
  const serving = state.phase === 'ready' && state.port !== port ? ` Serving on ${state.port} now.` : '';
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
            value={settings.theme}
            onChange={(theme: ThemeChoice) => save({ theme })}
          />
        </Setting>
        <SwitchSetting
          name="keepInTray"
          title="Keep running in the tray"
          text="The registry goes on when the last window closes. The icon in the tray, or starting Gatehouse again, brings the window back."
          on={settings.keepInTray}
        />
        {info?.canStartAtLogin === true ? (
          <SwitchSetting
            name="startAtLogin"
            title="Start at login"
            text="With the tray as well, no window opens until you ask for one."
            on={settings.startAtLogin}
          />
        ) : null}
        <SwitchSetting
          name="notifications"
          title="Notifications"
          text="Tells of publishes, of logins that wait for an answer, and of a registry that stopped, while no window has the focus."
          on={settings.notifications}
        />
        <NumberSetting
          name="port"
          title="Port"
          text={`It stands in the .npmrc and lock files of everyone who uses this registry. A change restarts the registry; 0 lets the system pick one at every start.${serving}`}
          value={port}
          min={0}
          max={65_535}
        />
        <NumberSetting
          name="largestTarball"
          title="Largest tarball"
          text="A publish with a larger one is refused, with the limit in the answer. A change restarts the registry."
          value={largestTarball}
          min={1}
          max={10_000}
          suffix=" MiB"
        />
        {info ? (
          <>
            <DataFolderSetting info={info} />
            <LogSetting />
            <UpdateSettings checkAtStart={settings.checkUpdatesAtStart} version={info.version} />
            <Setting
              title={`Gatehouse ${info.version}`}
              text={`Electron ${info.electron}, Chromium ${info.chromium}, Node ${info.node}`}
            />
          </>
        ) : null}
      </div>
    </Page>
  );
}
