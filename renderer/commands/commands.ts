import type { MenuCommand } from '../../server/contract/bridge.ts';
import type { OfflineMode } from '../../server/contract/upstream.ts';
import type { UpstreamTab } from '../features/upstream/upstream-tabs.ts';

/** Something a person can have done from anywhere: the one list behind palette, menu, shortcuts and the list of shortcuts. */
export interface Command {
  id:
    | MenuCommand
    | 'show-access'
    | 'show-requests'
    | 'show-outbox'
    | 'show-prefetch'
    | 'offline-on'
    | 'offline-off'
    | 'offline-auto'
    | 'theme-light'
    | 'theme-dark'
    | 'theme-system'
    | 'copy-address';
  title: string;
  group: 'Go to' | 'Do' | 'Appearance' | 'Help';
  /** More words to find it by. */
  keywords?: string;
  /** In the notation of Mantine's hotkeys: `mod+K`. */
  shortcut?: string;
  /** False keeps it out of the palette (the palette itself, for one). */
  inPalette?: boolean;
  run: () => void;
}

/** What the commands act upon. */
export interface CommandEffects {
  go: (
    path:
      | '/packages'
      | '/environments'
      | '/people'
      | '/activity'
      | '/connect'
      | '/overview'
      | '/upstream'
      | '/backups'
      | '/settings',
  ) => void;
  showUpstream: (tab: UpstreamTab) => void;
  setOffline: (mode: OfflineMode) => void;
  showRequests: () => void;
  showAccess: () => void;
  focusSearch: () => void;
  openPalette: () => void;
  openShortcuts: () => void;
  setTheme: (theme: 'system' | 'light' | 'dark') => void;
  copyAddress: () => void;
}

/** Every command of the window. */
export function createCommands(effects: CommandEffects): Command[] {
  return [
    {
      id: 'show-packages',
      title: 'Packages',
      group: 'Go to',
      shortcut: 'mod+1',
      keywords: 'list registry versions',
      run: () => effects.go('/packages'),
    },
    {
      id: 'show-environments',
      title: 'Environments',
      group: 'Go to',
      shortcut: 'mod+2',
      keywords: 'protected deploy rules protect',
      run: () => effects.go('/environments'),
    },
    {
      id: 'show-access',
      title: 'Who may deploy where',
      group: 'Go to',
      keywords: 'environments matrix access deploy people',
      run: effects.showAccess,
    },
    {
      id: 'show-connect',
      title: 'Connect a client',
      group: 'Go to',
      shortcut: 'mod+3',
      keywords: 'npmrc npm pnpm yarn bun ci token',
      run: () => effects.go('/connect'),
    },
    {
      id: 'show-people',
      title: 'People',
      group: 'Go to',
      shortcut: 'mod+4',
      keywords: 'users groups projects members tokens invite',
      run: () => effects.go('/people'),
    },
    {
      id: 'show-activity',
      title: 'Activity',
      group: 'Go to',
      shortcut: 'mod+5',
      keywords: 'audit history undo log changes',
      run: () => effects.go('/activity'),
    },
    {
      id: 'show-requests',
      title: 'Requests',
      group: 'Go to',
      keywords: 'log http clients curl status activity',
      run: effects.showRequests,
    },
    {
      id: 'show-overview',
      title: 'Overview',
      group: 'Go to',
      shortcut: 'mod+6',
      keywords: 'health disk memory chart downloads publishes statistics',
      run: () => effects.go('/overview'),
    },
    {
      id: 'show-backups',
      title: 'Backups',
      group: 'Go to',
      shortcut: 'mod+7',
      keywords: 'snapshot restore rewind doctor check repair archive schedule',
      run: () => effects.go('/backups'),
    },
    {
      id: 'show-upstream',
      title: 'Upstream',
      group: 'Go to',
      shortcut: 'mod+8',
      keywords: 'registries npm gitlab verdaccio cache offline proxy mirror bundles export import',
      run: () => effects.go('/upstream'),
    },
    {
      id: 'show-prefetch',
      title: 'Prefetch a lockfile',
      group: 'Go to',
      keywords: 'offline fetch upstream package-lock pnpm-lock yarn bun flight',
      run: () => effects.showUpstream('prefetch'),
    },
    {
      id: 'show-outbox',
      title: 'Outbox',
      group: 'Go to',
      keywords: 'push send publish upstream replay',
      run: () => effects.showUpstream('outbox'),
    },
    {
      id: 'show-settings',
      title: 'Settings',
      group: 'Go to',
      shortcut: 'mod+,',
      keywords: 'preferences port theme data folder version about',
      run: () => effects.go('/settings'),
    },
    {
      id: 'find',
      title: 'Find a package',
      group: 'Do',
      shortcut: 'mod+F',
      keywords: 'search filter',
      run: effects.focusSearch,
    },
    {
      id: 'copy-address',
      title: 'Copy the address of the registry',
      group: 'Do',
      keywords: 'url origin host port',
      run: effects.copyAddress,
    },
    {
      id: 'offline-on',
      title: 'Go offline: no request leaves',
      group: 'Do',
      keywords: 'upstream network plane train switch',
      run: () => effects.setOffline('on'),
    },
    {
      id: 'offline-off',
      title: 'Go online: ask other registries',
      group: 'Do',
      keywords: 'upstream network offline switch',
      run: () => effects.setOffline('off'),
    },
    {
      id: 'offline-auto',
      title: 'Offline: automatic',
      group: 'Do',
      keywords: 'upstream network switch',
      run: () => effects.setOffline('auto'),
    },
    {
      id: 'theme-system',
      title: 'Theme: follow the system',
      group: 'Appearance',
      keywords: 'auto appearance',
      run: () => effects.setTheme('system'),
    },
    {
      id: 'theme-light',
      title: 'Theme: light',
      group: 'Appearance',
      keywords: 'bright day appearance',
      run: () => effects.setTheme('light'),
    },
    {
      id: 'theme-dark',
      title: 'Theme: dark',
      group: 'Appearance',
      keywords: 'night appearance',
      run: () => effects.setTheme('dark'),
    },
    {
      id: 'shortcuts',
      title: 'Keyboard shortcuts',
      group: 'Help',
      shortcut: 'mod+/',
      keywords: 'keys help',
      run: effects.openShortcuts,
    },
    {
      id: 'palette',
      title: 'Command palette',
      group: 'Help',
      shortcut: 'mod+K',
      inPalette: false,
      run: effects.openPalette,
    },
  ];
}
