import {
  IconArchive,
  IconArrowsUpDown,
  IconBox,
  IconChartBar,
  IconDatabaseExport,
  IconDatabaseImport,
  IconFolderPlus,
  IconHistory,
  IconInbox,
  IconKey,
  IconPackageExport,
  IconPackageImport,
  IconPhoto,
  IconPlugConnected,
  IconSettings,
  IconShieldLock,
  IconShieldPlus,
  IconStethoscope,
  IconUserPlus,
  IconUsers,
  IconUsersGroup,
  IconWorldPlus,
} from '@tabler/icons-react';
import type { Destination } from '../../server/contract/destinations.ts';
import type { Control } from '../ui/page/reach.ts';

export type Icon = typeof IconBox;

/** The icon of each screen, and more words to find it by in the palette. */
export const screens: Record<Destination['path'], { icon: Icon; keywords: string }> = {
  '/packages': { icon: IconBox, keywords: 'list registry versions tags latest compare deprecate unpublish' },
  '/inbox': { icon: IconInbox, keywords: 'approve approvals reject waiting staged releases requests review' },
  '/environments': { icon: IconShieldLock, keywords: 'protected deploy rules protect' },
  '/connect': { icon: IconPlugConnected, keywords: 'client npmrc npm pnpm yarn bun ci token' },
  '/people': { icon: IconUsers, keywords: 'users groups projects members tokens invite' },
  '/activity': { icon: IconHistory, keywords: 'audit history undo log changes' },
  '/overview': { icon: IconChartBar, keywords: 'health disk memory chart downloads publishes statistics' },
  '/backups': { icon: IconArchive, keywords: 'snapshot restore rewind doctor check repair archive schedule' },
  '/upstream': {
    icon: IconArrowsUpDown,
    keywords: 'registries npm gitlab verdaccio cache offline proxy mirror bundles export import',
  },
  '/settings': { icon: IconSettings, keywords: 'preferences port theme data folder version about' },
};

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

/** Opens a screen and clicks one of its controls, as a user would. */
export const onScreens = [
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
