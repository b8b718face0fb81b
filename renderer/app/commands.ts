import { useHotkeys } from '@mantine/hooks';
import { notifications } from '@mantine/notifications';
import { spotlight } from '@mantine/spotlight';
import {
  IconArchive,
  IconBox,
  IconChartBar,
  IconCloud,
  IconCloudDownload,
  IconCloudOff,
  IconCopy,
  IconDeviceDesktop,
  IconFileDownload,
  IconHistory,
  IconKeyboard,
  IconList,
  IconMoon,
  IconPlugConnected,
  IconSearch,
  IconSend,
  IconSettings,
  IconShieldCheck,
  IconShieldLock,
  IconSun,
  IconUsers,
} from '@tabler/icons-react';
import { useNavigate, useRouter } from '@tanstack/react-router';
import { useEffect, useMemo } from 'react';
import type { ThemeChoice } from '../../server/contract/bridge.ts';
import { destinations, type Destination } from '../../server/contract/destinations.ts';
import type { OfflineMode } from '../../server/contract/upstream.ts';
import { copyText, onMenuCommand, useAppState, useSaveSettings } from '../api/app.ts';
import { useCall } from '../api/call.ts';
import { offlineLabel } from '../features/upstream/offline-text.ts';

type Icon = typeof IconBox;

/** The icon of each screen, and more words to find it by in the palette. */
export const screens: Record<Destination['path'], { icon: Icon; keywords: string }> = {
  '/packages': { icon: IconBox, keywords: 'list registry versions' },
  '/environments': { icon: IconShieldLock, keywords: 'protected deploy rules protect' },
  '/connect': { icon: IconPlugConnected, keywords: 'client npmrc npm pnpm yarn bun ci token' },
  '/people': { icon: IconUsers, keywords: 'users groups projects members tokens invite' },
  '/activity': { icon: IconHistory, keywords: 'audit history undo log changes' },
  '/overview': { icon: IconChartBar, keywords: 'health disk memory chart downloads publishes statistics' },
  '/backups': { icon: IconArchive, keywords: 'snapshot restore rewind doctor check repair archive schedule' },
  '/upstream': {
    icon: IconCloudDownload,
    keywords: 'registries npm gitlab verdaccio cache offline proxy mirror bundles export import',
  },
  '/settings': { icon: IconSettings, keywords: 'preferences port theme data folder version about' },
};

/** An action that palette, application menu and shortcuts offer on every screen. */
export interface Command {
  id: string;
  title: string;
  group: 'Go to' | 'Do' | 'Appearance' | 'Help';
  icon: Icon;
  /** More words to find it by. */
  keywords: string;
  /** In the notation of Mantine's hotkeys: `mod+K`. */
  shortcut?: string;
  run: () => void;
}

/** The commands, bound to this window. Also runs those of the application menu and of the keyboard. */
export function useCommands(openShortcuts: () => void): Command[] {
  const navigate = useNavigate();
  const router = useRouter();
  const { mutate: saveSettings } = useSaveSettings();
  const { mutate: setOffline } = useCall('offline.set');
  const state = useAppState();
  const origin = state.phase === 'ready' ? state.origin : undefined;

  const commands = useMemo((): Command[] => {
    const goTo = (id: string, title: string, icon: Icon, keywords: string, run: () => void): Command => {
      return { id, title, group: 'Go to', icon, keywords, run };
    };
    const offline = (mode: OfflineMode, title: string, icon: Icon): Command => ({
      id: `offline-${mode}`,
      title,
      group: 'Do',
      icon,
      keywords: 'upstream network plane train offline switch',
      run: () => setOffline({ mode }, { onSuccess: (after) => notifications.show({ message: offlineLabel(after) }) }),
    });
    const theme = (choice: ThemeChoice, title: string, icon: Icon, keywords: string): Command => ({
      id: `theme-${choice}`,
      title,
      group: 'Appearance',
      icon,
      keywords,
      run: () => saveSettings({ theme: choice }),
    });
    return [
      ...destinations.map(({ command, label, path, shortcut }): Command => {
        const { icon, keywords } = screens[path];
        return { ...goTo(command, label, icon, keywords, () => void navigate({ to: path })), shortcut };
      }),
      goTo('show-access', 'Who may deploy where', IconShieldCheck, 'environments matrix access people', () => {
        void navigate({ to: '/environments', search: { view: 'access' } });
      }),
      goTo('show-requests', 'Requests', IconList, 'log http clients curl status activity', () => {
        void navigate({ to: '/activity', search: { view: 'requests' } });
      }),
      goTo(
        'show-prefetch',
        'Prefetch a lockfile',
        IconFileDownload,
        'offline upstream package-lock pnpm yarn bun',
        () => {
          void navigate({ to: '/upstream', search: { tab: 'prefetch' } });
        },
      ),
      goTo('show-outbox', 'Outbox', IconSend, 'push send publish upstream replay', () => {
        void navigate({ to: '/upstream', search: { tab: 'outbox' } });
      }),
      {
        id: 'find',
        title: 'Find a package',
        group: 'Do',
        icon: IconSearch,
        keywords: 'search filter',
        shortcut: 'mod+F',
        run: () => {
          if (focusSearchField()) return;
          void router.navigate({ to: '/packages' }).then(() => requestAnimationFrame(focusSearchField));
        },
      },
      {
        id: 'copy-address',
        title: 'Copy the registry address',
        group: 'Do',
        icon: IconCopy,
        keywords: 'url origin host port',
        run: () => {
          if (origin === undefined) return;
          void copyText(origin).then(() => notifications.show({ message: `Copied ${origin}` }));
        },
      },
      offline('on', 'Go offline', IconCloudOff),
      offline('off', 'Go online', IconCloud),
      offline('auto', 'Offline: automatic', IconCloud),
      theme('system', 'Theme: follow the system', IconDeviceDesktop, 'auto appearance'),
      theme('light', 'Theme: light', IconSun, 'bright day appearance'),
      theme('dark', 'Theme: dark', IconMoon, 'night appearance'),
      {
        id: 'shortcuts',
        title: 'Keyboard shortcuts',
        group: 'Help',
        icon: IconKeyboard,
        keywords: 'keys help',
        shortcut: 'mod+/',
        run: openShortcuts,
      },
      {
        id: 'palette',
        title: 'Command palette',
        group: 'Help',
        icon: IconSearch,
        keywords: '',
        shortcut: 'mod+K',
        run: () => spotlight.open(),
      },
    ];
  }, [navigate, router, openShortcuts, saveSettings, setOffline, origin]);

  useEffect(() => onMenuCommand((id) => commands.find((command) => command.id === id)?.run()), [commands]);
  // With the empty list of tags shortcuts work while a field has the focus as well.
  useHotkeys(
    commands.flatMap(({ shortcut, run }) => (shortcut === undefined ? [] : [[shortcut, run] as [string, () => void]])),
    [],
  );
  return commands;
}

function focusSearchField(): boolean {
  const field = document.querySelector<HTMLInputElement>('[data-find]');
  field?.focus();
  field?.select();
  return field !== null;
}
