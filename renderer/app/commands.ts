import { useHotkeys } from '@mantine/hooks';
import { notifications } from '@mantine/notifications';
import {
  IconArrowBackUp,
  IconArrowLeft,
  IconArrowRight,
  IconArrowUp,
  IconCloud,
  IconCloudOff,
  IconCopy,
  IconDeviceFloppy,
  IconDeviceDesktop,
  IconFileDownload,
  IconFolderOpen,
  IconKeyboard,
  IconList,
  IconLock,
  IconMoon,
  IconPlus,
  IconRefresh,
  IconSearch,
  IconSend,
  IconShieldCheck,
  IconSun,
} from '@tabler/icons-react';
import { useNavigate, useRouter } from '@tanstack/react-router';
import { useEffect, useMemo } from 'react';
import type { ThemeChoice } from '../../server/contract/bridge.ts';
import { destinations } from '../../server/contract/destinations.ts';
import type { OfflineMode } from '../../server/contract/upstream.ts';
import { onMenuCommand, restartServer, useAppState, useSaveSettings, useShowDataFolder } from '../api/app.ts';
import { useCall } from '../api/call.ts';
import { offlineModes } from '../features/upstream/offline-text.ts';
import { copyAndSay, undoLast } from '../ui/feedback/toast.tsx';
import { isMac, isTyping } from '../ui/forms/keyboard.ts';
import { leaveSidebar } from '../ui/forms/use-first-focus.ts';
import { isCovered, wasCoveredAtKey } from '../ui/forms/layers.ts';
import { onScreens, screens, type Icon } from './command-screens.ts';
import { drawn, goUp, useMoves } from './moves.ts';
import { actOn, actOnceShown, actWhenReady, saveForm } from '../ui/page/reach.ts';

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
  const { mutate: showDataFolder } = useShowDataFolder();
  const state = useAppState();
  const origin = state.phase === 'ready' ? state.origin : undefined;

  const commands = useMemo((): Command[] => {
    const goTo = (id: string, title: string, icon: Icon, keywords: string, run: () => void): Command => {
      return { id, title, group: 'Go to', icon, keywords, run };
    };
    const move = (id: 'back' | 'forward', title: string, icon: Icon, keywords: string, shortcut: string): Command => ({
      ...goTo(id, title, icon, keywords, () => router.history[id]()),
      shortcut,
      keyOnly: true,
    });
    const offline = (mode: OfflineMode, title: string, icon: Icon): Command => ({
      id: `offline-${mode}`,
      title,
      group: 'Do',
      icon,
      keywords: 'upstream network plane train offline switch',
      run: () => {
        const { label = '' } = offlineModes.find(({ value }) => value === mode) ?? {};
        setOffline({ mode }, { onSuccess: () => notifications.show({ message: `Network: ${label}` }) });
      },
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
      goTo(
        'show-guarded-tags',
        'Tag approvals',
        IconLock,
        'environments guarded tags require approvers dist-tag latest',
        () => {
          void navigate({ to: '/environments', search: { view: 'tags' } });
        },
      ),
      goTo('show-requests', 'HTTP requests', IconList, 'log clients curl status activity', () => {
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
          if (origin !== undefined) copyAndSay(origin);
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
        run: () => showDataFolder(),
      },
      {
        id: 'new',
        title: 'Add to this list',
        group: 'Do',
        icon: IconPlus,
        keywords: '',
        shortcut: 'mod+N',
        keyOnly: true,
        run: () => {
          if (!isCovered()) actWhenReady('new', drawn(router));
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
      {
        id: 'undo',
        title: 'Undo',
        group: 'Do',
        icon: IconArrowBackUp,
        keywords: '',
        shortcut: 'mod+Z',
        keyOnly: true,
        run: undo,
      },
      offline('on', 'Go offline', IconCloudOff),
      offline('auto', 'Go online (automatic)', IconCloud),
      offline('off', 'Always online', IconCloud),
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
  }, [navigate, router, openShortcuts, openPalette, saveSettings, setOffline, showDataFolder, origin]);

  useMoves(router);
  useEffect(() => onMenuCommand((id) => runDirectly(commands.find((command) => command.id === id))), [commands]);
  const keys = commands.flatMap((command) =>
    [command.shortcut, command.alsoShortcut].flatMap((key) =>
      key === undefined ? [] : [[key, () => runDirectly(command)] as [string, () => void]],
    ),
  );
  // With the empty list of tags, shortcuts work while a field has the focus as well; those without a modifier are typed there.
  useHotkeys(
    keys.filter(([key]) => key.includes('+')),
    [],
  );
  useHotkeys(keys.filter(([key]) => !key.includes('+')));
  return commands;
}

/** Runs a command of a key or of the application menu. What is typed in a dialog is not left behind by a key. */
function runDirectly(command: Command | undefined): void {
  if (command === undefined) return;
  const leaves = command.id !== 'up' && (command.group === 'Go to' || command.id === 'find');
  if (leaves && isCovered()) return;
  if (leaves) leaveSidebar();
  command.run();
}

/** Undoes what was typed in the field that has the focus. Elsewhere, what the last message offers to undo. */
function undo(): void {
  if (isTyping()) document.execCommand('undo');
  else if (!isCovered()) undoLast();
}
