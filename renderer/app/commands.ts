import { useHotkeys } from '@mantine/hooks';
import { notifications } from '@mantine/notifications';
import {
  IconArchive,
  IconArrowLeft,
  IconArrowRight,
  IconArrowUp,
  IconBox,
  IconChartBar,
  IconCloud,
  IconCloudDownload,
  IconCloudOff,
  IconCopy,
  IconDatabaseExport,
  IconDatabaseImport,
  IconDeviceFloppy,
  IconDeviceDesktop,
  IconFileDownload,
  IconFolderOpen,
  IconFolderPlus,
  IconHistory,
  IconKey,
  IconKeyboard,
  IconList,
  IconMoon,
  IconPackageExport,
  IconPackageImport,
  IconPhoto,
  IconPlugConnected,
  IconPlus,
  IconRefresh,
  IconSearch,
  IconSend,
  IconSettings,
  IconShieldCheck,
  IconShieldLock,
  IconShieldPlus,
  IconStethoscope,
  IconSun,
  IconUserPlus,
  IconUsers,
  IconUsersGroup,
  IconWorldPlus,
} from '@tabler/icons-react';
import { useNavigate, useRouter } from '@tanstack/react-router';
import { useEffect, useMemo } from 'react';
import type { ThemeChoice } from '../../server/contract/bridge.ts';
import { destinations, type Destination } from '../../server/contract/destinations.ts';
import type { OfflineMode } from '../../server/contract/upstream.ts';
import { copyText, onMenuCommand, restartServer, showDataFolder, useAppState, useSaveSettings } from '../api/app.ts';
import { useCall } from '../api/call.ts';
import { offlineLabel } from '../features/upstream/offline-text.ts';
import { isMac } from '../ui/forms/keyboard.ts';
import { goUp, useMoves } from './moves.ts';
import { actOn, actOnceShown, isCovered, saveForm, wasCoveredAtKey, type Control } from './reach.ts';

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
  /** Does the same. */
  alsoShortcut?: string;
  /** For keys and menus only: it acts on what the screen happens to have. */
  keyOnly?: boolean;
  run: () => void;
}

/** A command that opens a screen and acts on one of its controls. */
interface OnScreen {
  id: string;
  title: string;
  icon: Icon;
  keywords: string;
  to: Destination['path'];
  search: { tab?: 'users' | 'groups' | 'projects' | 'tokens' | 'registries' | 'bundles' };
  control: Control;
}

const onScreens = [
  {
    id: 'create-token',
    title: 'Create a token',
    icon: IconKey,
    keywords: 'add new access glpat npm ci login',
    to: '/people',
    search: { tab: 'tokens' },
    control: 'new',
  },
  {
    id: 'protect',
    title: 'Protect an environment',
    icon: IconShieldPlus,
    keywords: 'add new deploy rules production',
    to: '/environments',
    search: {},
    control: 'new',
  },
  {
    id: 'add-user',
    title: 'Add a user',
    icon: IconUserPlus,
    keywords: 'create new person account',
    to: '/people',
    search: { tab: 'users' },
    control: 'new',
  },
  {
    id: 'add-group',
    title: 'Add a group',
    icon: IconUsersGroup,
    keywords: 'create new namespace team',
    to: '/people',
    search: { tab: 'groups' },
    control: 'new',
  },
  {
    id: 'add-project',
    title: 'Add a project',
    icon: IconFolderPlus,
    keywords: 'create new',
    to: '/people',
    search: { tab: 'projects' },
    control: 'new',
  },
  {
    id: 'add-registry',
    title: 'Add a registry',
    icon: IconWorldPlus,
    keywords: 'upstream npm gitlab verdaccio proxy mirror',
    to: '/upstream',
    search: { tab: 'registries' },
    control: 'new',
  },
  {
    id: 'export',
    title: 'Export packages',
    icon: IconPackageExport,
    keywords: 'bundle file write usb',
    to: '/upstream',
    search: { tab: 'bundles' },
    control: 'export',
  },
  {
    id: 'import',
    title: 'Import packages',
    icon: IconPackageImport,
    keywords: 'bundle file read usb',
    to: '/upstream',
    search: { tab: 'bundles' },
    control: 'import',
  },
  {
    id: 'back-up',
    title: 'Back up the registry',
    icon: IconDatabaseExport,
    keywords: 'backup archive save copy',
    to: '/backups',
    search: {},
    control: 'back-up',
  },
  {
    id: 'restore',
    title: 'Restore a backup',
    icon: IconDatabaseImport,
    keywords: 'archive',
    to: '/backups',
    search: {},
    control: 'restore',
  },
  {
    id: 'snapshot',
    title: 'Take a snapshot',
    icon: IconPhoto,
    keywords: 'state rewind',
    to: '/backups',
    search: {},
    control: 'snapshot',
  },
  {
    id: 'check',
    title: 'Check the data',
    icon: IconStethoscope,
    keywords: 'doctor verify repair integrity',
    to: '/backups',
    search: {},
    control: 'check',
  },
] as const satisfies readonly OnScreen[];

interface CommandDialogs {
  openShortcuts: () => void;
  openPalette: () => void;
}

/** The commands, bound to this window. Also runs those of the application menu and of the keyboard. */
export function useCommands({ openShortcuts, openPalette }: CommandDialogs): Command[] {
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
    const move = (id: 'back' | 'forward', title: string, icon: Icon, keywords: string, shortcut: string): Command => ({
      ...goTo(id, title, icon, keywords, () => {
        if (!isCovered()) router.history[id]();
      }),
      shortcut,
      keyOnly: true,
    });
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
      move('back', 'Back', IconArrowLeft, 'previous history', isMac ? 'mod+[' : 'alt+ArrowLeft'),
      move('forward', 'Forward', IconArrowRight, 'next history', isMac ? 'mod+]' : 'alt+ArrowRight'),
      {
        id: 'up',
        title: 'Back to the list',
        group: 'Go to',
        icon: IconArrowUp,
        keywords: '',
        shortcut: 'Escape',
        keyOnly: true,
        run: () => {
          if (!wasCoveredAtKey()) goUp(router);
        },
      },
      {
        id: 'find',
        title: 'Find a package',
        group: 'Do',
        icon: IconSearch,
        keywords: 'search filter',
        shortcut: 'mod+F',
        alsoShortcut: '/',
        run: () => {
          if (!actOn('find')) void navigate({ to: '/packages' }).then(() => actOnceShown('find'));
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
      ...onScreens.map(({ id, title, icon, keywords, control, ...place }): Command => ({
        id,
        title,
        group: 'Do',
        icon,
        keywords,
        run: () => void navigate(place).then(() => actOnceShown(control)),
      })),
      {
        id: 'restart',
        title: 'Restart the registry',
        group: 'Do',
        icon: IconRefresh,
        keywords: 'server reload stop start',
        run: () => {
          notifications.show({ message: 'Restarting the registry…' });
          void restartServer();
        },
      },
      {
        id: 'show-data-folder',
        title: 'Show the data folder',
        group: 'Do',
        icon: IconFolderOpen,
        keywords: 'files directory disk open',
        run: () => void showDataFolder(),
      },
      {
        id: 'new',
        title: 'New in this list',
        group: 'Do',
        icon: IconPlus,
        keywords: '',
        shortcut: 'mod+N',
        keyOnly: true,
        run: () => {
          if (!isCovered()) actOn('new');
        },
      },
      {
        id: 'save',
        title: 'Save',
        group: 'Do',
        icon: IconDeviceFloppy,
        keywords: '',
        shortcut: 'mod+S',
        keyOnly: true,
        run: saveForm,
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
        run: openPalette,
      },
    ];
  }, [navigate, router, openShortcuts, openPalette, saveSettings, setOffline, origin]);

  useMoves(router);
  useEffect(() => onMenuCommand((id) => commands.find((command) => command.id === id)?.run()), [commands]);
  const keys = commands.flatMap(({ shortcut, alsoShortcut, run }) =>
    [shortcut, alsoShortcut].flatMap((key) => (key === undefined ? [] : [[key, run] as [string, () => void]])),
  );
  // With the empty list of tags, shortcuts work while a field has the focus as well; those without a modifier are typed there.
  useHotkeys(
    keys.filter(([key]) => key.includes('+')),
    [],
  );
  useHotkeys(keys.filter(([key]) => !key.includes('+')));
  return commands;
}
