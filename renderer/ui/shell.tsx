import { useDisclosure } from '@mantine/hooks';
import { ActionIcon, Menu, Tooltip } from '@mantine/core';
import { spotlight } from '@mantine/spotlight';
import {
  IconArchive,
  IconBox,
  IconChartBar,
  IconCloudDownload,
  IconHistory,
  IconSettings,
  IconUsers,
  IconDeviceDesktop,
  IconMoon,
  IconPlugConnected,
  IconSearch,
  IconShieldLock,
  IconSun,
} from '@tabler/icons-react';
import { Link, Outlet } from '@tanstack/react-router';
import type { ThemeChoice } from '../../server/contract/bridge.ts';
import { useAppState, useSaveSettings, useSettings } from '../api/app.ts';
import { usePackages } from '../api/packages.ts';
import { useUpdates } from '../api/updates.ts';
import { useCommands } from '../commands/use-commands.ts';
import { LoginRequests } from '../features/connect/login-requests.tsx';
import { OfflineStatus } from '../features/upstream/offline-status.tsx';
import { CopyButton } from './copy-button.tsx';
import { formatCount } from './format.ts';
import { formatShortcut } from './keyboard.ts';
import { Logo } from './logo.tsx';
import { later } from './later.ts';
import './kbd.css';
import './shell.css';

// Asked for by a key at the earliest; whoever is faster than the page finds them open once they are there.
const Palette = later(() => import('../commands/palette.tsx'));
const ShortcutList = later(() => import('../commands/shortcut-list.tsx'));

/** The frame around every screen: where one can go, and the state of the registry. */
export function Shell() {
  const [shortcutsShown, shortcuts] = useDisclosure(false);
  const commands = useCommands(shortcuts.open);
  const { data: packages } = usePackages();
  return (
    <div className="gh-shell">
      <aside className="gh-sidebar">
        <div className="gh-brand">
          <Logo />
          Gatehouse
        </div>
        <button type="button" className="gh-jump" onClick={() => spotlight.open()} aria-keyshortcuts="Control+K Meta+K">
          <IconSearch size={14} aria-hidden="true" />
          Go to…
          <span className="gh-spacer" />
          <kbd className="gh-kbd">{formatShortcut('mod+K')}</kbd>
        </button>
        <nav className="gh-nav" aria-label="Main">
          <Link to="/packages">
            <IconBox size={17} aria-hidden="true" />
            Packages
            {packages && packages.length > 0 ? (
              <span className="gh-nav-count">{formatCount(packages.length)}</span>
            ) : null}
          </Link>
          <Link to="/environments">
            <IconShieldLock size={17} aria-hidden="true" />
            Environments
          </Link>
          <Link to="/connect">
            <IconPlugConnected size={17} aria-hidden="true" />
            Connect
          </Link>
          <Link to="/people">
            <IconUsers size={17} aria-hidden="true" />
            People
          </Link>
          <Link to="/activity">
            <IconHistory size={17} aria-hidden="true" />
            Activity
          </Link>
          <Link to="/overview">
            <IconChartBar size={17} aria-hidden="true" />
            Overview
          </Link>
          <Link to="/backups">
            <IconArchive size={17} aria-hidden="true" />
            Backups
          </Link>
          <Link to="/upstream">
            <IconCloudDownload size={17} aria-hidden="true" />
            Upstream
          </Link>
          <span className="gh-spacer" />
          <Link to="/settings">
            <IconSettings size={17} aria-hidden="true" />
            Settings
            <UpdateMark />
          </Link>
        </nav>
        <div className="gh-states">
          <OfflineStatus />
          <ServerState />
        </div>
      </aside>
      <main tabIndex={-1}>
        <LoginRequests />
        <Outlet />
      </main>
      <Palette commands={commands} />
      <ShortcutList commands={commands} opened={shortcutsShown} onClose={shortcuts.close} />
    </div>
  );
}

/** Beside the settings, where a newer version is told of, for those who have them looked for. */
function UpdateMark() {
  const { data: settings } = useSettings();
  const state = useUpdates(settings?.checkUpdatesAtStart === true);
  if (state?.phase !== 'available' && state?.phase !== 'ready') return null;
  return <span className="gh-nav-count">{state.offer.version} is there</span>;
}

function ServerState() {
  const state = useAppState();
  const ready = state.phase === 'ready';
  return (
    <div className="gh-server">
      <span className="gh-dot" data-state={ready ? 'ready' : 'waiting'} aria-hidden="true" />
      <div
        className="gh-server-text gh-truncate"
        role="status"
        title={ready ? `Serving at ${state.origin}` : undefined}
      >
        {ready ? <span className="gh-mono">{state.origin.replace(/^https?:\/\//, '')}</span> : 'Restarting…'}
      </div>
      {ready ? <CopyButton text={state.origin} label="Copy the address of the registry" /> : null}
      <ThemeMenu />
    </div>
  );
}

const themes = [
  { value: 'system', label: 'Follow the system', Icon: IconDeviceDesktop },
  { value: 'light', label: 'Light', Icon: IconSun },
  { value: 'dark', label: 'Dark', Icon: IconMoon },
] as const;

function ThemeMenu() {
  const { data: settings } = useSettings();
  const { mutate: save } = useSaveSettings();
  const chosen = settings?.theme ?? 'system';
  const Icon = themes.find((theme) => theme.value === chosen)?.Icon ?? IconDeviceDesktop;
  return (
    <Menu position="top-end" width={190}>
      <Menu.Target>
        <Tooltip label="Theme">
          <ActionIcon aria-label="Theme" className="gh-theme-menu">
            <Icon size={15} />
          </ActionIcon>
        </Tooltip>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.RadioGroup value={chosen} onChange={(value) => save({ theme: value as ThemeChoice })}>
          {themes.map(({ value, label, Icon: ThemeIcon }) => (
            <Menu.RadioItem key={value} value={value} closeMenuOnClick>
              <span className="gh-row">
                <ThemeIcon size={15} aria-hidden="true" />
                {label}
              </span>
            </Menu.RadioItem>
          ))}
        </Menu.RadioGroup>
      </Menu.Dropdown>
    </Menu>
  );
}
