import { ActionIcon, Button, Kbd, UnstyledButton, VisuallyHidden } from '@mantine/core';
import { useDisclosure, useMediaQuery } from '@mantine/hooks';
import { IconContrast, IconMoon, IconSearch, IconSun } from '@tabler/icons-react';
import { Link, Outlet } from '@tanstack/react-router';
import { lazy, Suspense, useState, type ReactNode } from 'react';
import { destinations, type Destination } from '../../server/contract/destinations.ts';
import { retryServer, useAppState, useSaveSettings, useSettings } from '../api/app.ts';
import { useServerStatus } from '../api/overview.ts';
import { usePackages } from '../api/packages.ts';
import { useReleases } from '../api/releases.ts';
import { useUpdates } from '../api/updates.ts';
import { useUnsavedEdits } from '../features/environments/unsaved-edits.ts';
import { OfflineStatus } from '../features/upstream/offline-status.tsx';
import { UnsentMark } from '../features/upstream/unsent-mark.tsx';
import { UnsavedMark } from '../ui/feedback/unsaved-mark.tsx';
import { CopyButton } from '../ui/text/copy-button.tsx';
import { formatCount } from '../ui/text/format.ts';
import { tip } from '../ui/text/tip.ts';
import { ChoiceMenu } from '../ui/forms/choice-menu.tsx';
import { formatShortcut } from '../ui/forms/keyboard.ts';
import { latePart } from '../ui/page/late-part.tsx';
import { Logo } from '../ui/theme/logo.tsx';
import { screens } from './command-screens.ts';
import { useCommands } from './commands.ts';
import './shell.css';

const Palette = latePart(() => import('./palette.tsx'));
const LoginRequests = latePart(() => import('../features/connect/login-requests.tsx'));
const ShortcutList = lazy(() => import('./shortcut-list.tsx'));

/** What the sidebar shows beside the name of a screen. */
const marks: Partial<Record<Destination['path'], () => ReactNode>> = {
  '/packages': PackageCount,
  '/inbox': WaitingCount,
  '/environments': EnvironmentEdits,
  '/upstream': UnsentMark,
  '/settings': UpdateMark,
};

/** The frame around every screen: the sidebar with the screens and the state of the registry. */
export function Shell() {
  const [shortcutsShown, shortcuts] = useDisclosure(false);
  const [paletteShown, palette] = useDisclosure(false);
  const commands = useCommands({ openShortcuts: shortcuts.open, openPalette: palette.open });
  // As in shell.css. Known while it is drawn: learnt after it, the whole window would be drawn twice.
  const isRail = useMediaQuery('(max-width: 899px)', undefined, { getInitialValueInEffect: false });
  return (
    <div className="gh-shell">
      <nav className="gh-sidebar" aria-label="Main" data-tip-side={isRail ? 'right' : undefined}>
        <div className="gh-brand">
          <Logo />
          <span>Gatehouse</span>
        </div>
        <UnstyledButton className="gh-jump" onClick={palette.open} aria-keyshortcuts="Control+K Meta+K">
          <IconSearch size={14} aria-hidden="true" />
          <span>Go to…</span>
          <span className="gh-spacer" />
          <Kbd>{formatShortcut('mod+K')}</Kbd>
        </UnstyledButton>
        <div className="gh-nav">
          {destinations.map(({ path, label }) => {
            const Icon = screens[path].icon;
            const Mark = marks[path];
            return (
              <Link key={path} to={path} className="gh-nav-link" data-tip={isRail ? label : undefined}>
                <Icon size={17} aria-hidden="true" />
                <div className="gh-nav-label">{label}</div>
                {Mark ? (
                  <div className="gh-nav-mark">
                    <Mark />
                  </div>
                ) : null}
              </Link>
            );
          })}
        </div>
        <div className="gh-states">
          <OfflineStatus />
          <ServerState />
        </div>
      </nav>
      <main className="gh-main" tabIndex={-1}>
        <LoginRequests />
        <Outlet />
      </main>
      <Palette isOpen={paletteShown} isWanted={paletteShown} commands={commands} onClose={palette.close} />
      <Suspense fallback={null}>
        {shortcutsShown ? <ShortcutList commands={commands} onClose={shortcuts.close} /> : null}
      </Suspense>
    </div>
  );
}

function PackageCount() {
  const { data: packages = [] } = usePackages();
  return packages.length === 0 ? null : formatCount(packages.length);
}

/** What waits for approval. */
function WaitingCount() {
  const { data: waiting = [] } = useReleases();
  if (waiting.length === 0) return null;
  return (
    <span className="gh-nav-badge">
      {formatCount(waiting.length)}
      <VisuallyHidden> waiting</VisuallyHidden>
    </span>
  );
}

/** Whether rules were edited and not saved. */
function EnvironmentEdits() {
  return useUnsavedEdits().size === 0 ? null : <UnsavedMark />;
}

/** The newer version, if there is one and updates are looked for. */
function UpdateMark() {
  const { data: settings } = useSettings();
  const state = useUpdates(settings?.checkUpdatesAtStart === true);
  return state?.phase === 'available' || state?.phase === 'ready' ? `${state.offer.version} available` : null;
}

function ServerState() {
  const state = useAppState();
  const ready = state.phase === 'ready' && state.answering;
  if (state.phase === 'ready' && !ready) return <NotAnswering />;
  const serving = ready ? `Serving at ${state.origin}` : undefined;
  return (
    <div className="gh-server">
      <StateDot state={ready ? 'ready' : 'waiting'} text={serving ?? 'Restarting…'} />
      <div className="gh-server-text gh-truncate" role="status" {...tip(serving)}>
        {ready ? <span className="gh-mono">{withoutScheme(state.origin)}</span> : 'Restarting…'}
        {ready ? <ForOthers /> : null}
      </div>
      {ready ? <CopyButton text={state.origin} label="Copy the registry address" /> : null}
      <ThemeMenu />
    </div>
  );
}

/** Where other computers connect, if they can. */
function ForOthers() {
  const { data: status } = useServerStatus();
  const [first, ...more] = status?.origins.slice(1) ?? [];
  if (first === undefined) return null;
  return (
    <div
      className="gh-mono gh-muted gh-truncate"
      {...tip(`Other computers connect to ${[first, ...more].join(' or ')}`)}
    >
      <VisuallyHidden>, for other computers </VisuallyHidden>
      {withoutScheme(first)}
    </div>
  );
}

const withoutScheme = (origin: string): string => origin.replace(/^https?:\/\//, '');

/** The state in a colour. Its tooltip says it in words, for the rail, which has no room for them. */
function StateDot({ state, text }: { state: 'ready' | 'waiting'; text: string }) {
  return <span className="gh-dot" data-state={state} data-tip={text} aria-hidden="true" />;
}

/** The server runs, but replies to nothing. */
function NotAnswering() {
  const [restarting, setRestarting] = useState(false);
  return (
    <div className="gh-server">
      <StateDot state="waiting" text="Not answering" />
      <div className="gh-server-text gh-truncate" role="status">
        Not answering
      </div>
      <Button
        variant="default"
        size="compact-xs"
        loading={restarting}
        onClick={() => {
          setRestarting(true);
          void retryServer().finally(() => setRestarting(false));
        }}
      >
        Restart
      </Button>
    </div>
  );
}

const themes = [
  { value: 'system', label: 'Follow the system', icon: IconContrast },
  { value: 'light', label: 'Light', icon: IconSun },
  { value: 'dark', label: 'Dark', icon: IconMoon },
] as const;

function ThemeMenu() {
  const { data: settings } = useSettings();
  const { mutate: save } = useSaveSettings();
  const chosen = settings?.theme ?? 'system';
  const Icon = themes.find((theme) => theme.value === chosen)?.icon ?? IconContrast;
  return (
    <ChoiceMenu
      position="top-end"
      width={190}
      choices={themes}
      value={chosen}
      onChange={(theme) => save({ theme })}
      button={
        <ActionIcon aria-label="Theme" data-tip="Theme">
          <Icon size={15} />
        </ActionIcon>
      }
    />
  );
}
