/**
 * The screens of the window in the order of the sidebar. Sidebar, command palette, application menu and shortcuts are made from this table;
 * `shortcut` is in the notation of Mantine's hotkeys.
 */
export const destinations = [
  { command: 'show-packages', path: '/packages', label: 'Packages', shortcut: 'mod+1' },
  { command: 'show-inbox', path: '/inbox', label: 'Inbox', shortcut: 'mod+I' },
  { command: 'show-environments', path: '/environments', label: 'Environments', shortcut: 'mod+2' },
  { command: 'show-connect', path: '/connect', label: 'Connect', shortcut: 'mod+3' },
  { command: 'show-people', path: '/people', label: 'People', shortcut: 'mod+4' },
  { command: 'show-activity', path: '/activity', label: 'Activity', shortcut: 'mod+5' },
  { command: 'show-overview', path: '/overview', label: 'Overview', shortcut: 'mod+6' },
  { command: 'show-backups', path: '/backups', label: 'Backups', shortcut: 'mod+7' },
  { command: 'show-upstream', path: '/upstream', label: 'Upstream', shortcut: 'mod+8' },
  { command: 'show-settings', path: '/settings', label: 'Settings', shortcut: 'mod+,' },
] as const;

export type Destination = (typeof destinations)[number];
