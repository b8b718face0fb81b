import { Button, SegmentedControl } from '@mantine/core';
import type { ThemeChoice } from '../../../server/contract/bridge.ts';
import { useAppInfo, useAppState, useSaveSettings, useServerLog, useSettings } from '../../api/app.ts';
import { LogSnippet } from '../../ui/text/log-snippet.tsx';
import { formatCount } from '../../ui/text/format.ts';
import { Pending } from '../../ui/feedback/pending.tsx';
import { Page } from '../../ui/page/page.tsx';
import { DataFolderSetting } from './data-folder-setting.tsx';
import { NumberSetting, Setting, SwitchSetting } from './setting.tsx';
import { UpdateSettings } from './update-settings.tsx';
import './settings.css';

/** The settings of the app, its data folder, log, updates and versions. */
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
  const serving = state.phase === 'ready' && state.port !== port ? state.port : undefined;
  return (
    <Page title="Settings">
      <div className="gh-settings">
        <Setting title="Theme">
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
          text="The registry keeps running when the last window is closed. The icon in the tray opens it again."
          on={settings.keepInTray}
        />
        {info?.canStartAtLogin === true ? (
          <SwitchSetting name="startAtLogin" title="Start at login" on={settings.startAtLogin} />
        ) : null}
        <SwitchSetting
          name="notifications"
          title="Notifications"
          text="Publishes, approvals, login requests and a stopped registry, while you use another program."
          on={settings.notifications}
        />
        <NumberSetting
          name="port"
          title="Port"
          text={
            <>
              A change breaks the URLs in <code>.npmrc</code> files and lockfiles. 0 picks a free port at every start.
              {serving === undefined ? null : info?.portIsFixed === true ? (
                <>
                  {' '}
                  <code>GATEHOUSE_PORT</code> overrides this: the port is {serving} now.
                </>
              ) : (
                ` Now ${serving}.`
              )}
            </>
          }
          saidAs={(value) =>
            info?.portIsFixed === true || value === 0
              ? `Saved port ${value}`
              : `The registry uses port ${value} now. Connected folders still name ${port}: connect them again.`
          }
          value={port}
          min={0}
          max={65_535}
        />
        <SwitchSetting
          name="serveOthers"
          title="Serve other computers"
          text={
            <>
              Other computers connect without encryption (HTTP). A change restarts the registry.
              {info && info.fixedHost !== null ? (
                <>
                  {' '}
                  <code>GATEHOUSE_HOST</code> overrides this: the host is {info.fixedHost} now.
                </>
              ) : null}
            </>
          }
          on={settings.serveOthers}
        />
        <NumberSetting
          name="largestTarball"
          title="Largest tarball"
          text="Larger publishes are refused. A change restarts the registry."
          value={largestTarball}
          min={1}
          max={10_000}
          suffix=" MiB"
          saidAs={(value) => `Tarballs may have up to ${formatCount(value)} MiB now`}
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

/** The last lines that the server wrote; none if it had nothing to warn of. */
function LogSetting() {
  const { data: lines = [], refetch, isFetching } = useServerLog();
  return (
    <Setting
      title="Log"
      text={lines.length === 0 ? 'No warnings or errors.' : 'The last lines that the registry wrote.'}
    >
      <Button variant="default" loading={isFetching} onClick={() => void refetch()}>
        Refresh
      </Button>
      {lines.length === 0 ? null : (
        <div className="gh-setting-wide gh-settings-log">
          <LogSnippet lines={lines} />
        </div>
      )}
    </Setting>
  );
}
