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
import type { Command } from './commands.ts';

// The same pictures as in the sidebar and on the screens that the commands lead to.
const icons: Partial<Record<Command['id'], typeof IconBox>> = {
  'show-packages': IconBox,
  'show-environments': IconShieldLock,
  'show-access': IconShieldCheck,
  'show-connect': IconPlugConnected,
  'show-people': IconUsers,
  'show-activity': IconHistory,
  'show-requests': IconList,
  'show-overview': IconChartBar,
  'show-backups': IconArchive,
  'show-upstream': IconCloudDownload,
  'show-prefetch': IconFileDownload,
  'show-outbox': IconSend,
  'show-settings': IconSettings,
  'copy-address': IconCopy,
  'offline-on': IconCloudOff,
  'offline-off': IconCloud,
  'offline-auto': IconCloud,
  'theme-system': IconDeviceDesktop,
  'theme-light': IconSun,
  'theme-dark': IconMoon,
  find: IconSearch,
  shortcuts: IconKeyboard,
};

/** The picture that stands before a command in the palette. */
export function CommandIcon({ id }: { id: Command['id'] }) {
  const Icon = icons[id];
  return Icon === undefined ? null : <Icon size={16} aria-hidden="true" />;
}
