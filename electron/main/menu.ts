import type { MenuItemConstructorOptions } from 'electron';
import type { MenuCommand } from '../../server/contract/bridge.ts';

export interface MenuActions {
  readonly command: (command: MenuCommand) => void;
  readonly newWindow: () => void;
  readonly showDataFolder: () => void;
  readonly restartServer: () => void;
}

/** The application menu. What it offers beyond the system's own items is carried out by the window or by `actions`. */
export function menuTemplate(platform: NodeJS.Platform, actions: MenuActions): MenuItemConstructorOptions[] {
  const isMac = platform === 'darwin';
  const item = (label: string, command: MenuCommand, accelerator: string): MenuItemConstructorOptions => ({
    label,
    accelerator,
    // The window listens for its own shortcuts; here they are only shown.
    registerAccelerator: false,
    click: () => actions.command(command),
  });
  return [
    ...(isMac ? [{ role: 'appMenu' } as const] : []),
    {
      label: '&File',
      submenu: [
        { label: 'New Window', accelerator: 'CmdOrCtrl+Shift+N', click: actions.newWindow },
        { type: 'separator' },
        { label: 'Show Data Folder', click: actions.showDataFolder },
        { label: 'Restart Registry', click: actions.restartServer },
        { type: 'separator' },
        isMac ? { role: 'close' } : { role: 'quit' },
      ],
    },
    {
      label: '&Edit',
      submenu: [
        { role: 'undo' },
        { role: 'redo' },
        { type: 'separator' },
        { role: 'cut' },
        { role: 'copy' },
        { role: 'paste' },
        { role: 'selectAll' },
        { type: 'separator' },
        item('Find', 'find', 'CmdOrCtrl+F'),
      ],
    },
    {
      label: '&Go',
      submenu: [
        item('Packages', 'show-packages', 'CmdOrCtrl+1'),
        item('Environments', 'show-environments', 'CmdOrCtrl+2'),
        item('Connect', 'show-connect', 'CmdOrCtrl+3'),
        item('People', 'show-people', 'CmdOrCtrl+4'),
        item('Activity', 'show-activity', 'CmdOrCtrl+5'),
        item('Overview', 'show-overview', 'CmdOrCtrl+6'),
        item('Backups', 'show-backups', 'CmdOrCtrl+7'),
        item('Upstream', 'show-upstream', 'CmdOrCtrl+8'),
        item('Settings', 'show-settings', 'CmdOrCtrl+,'),
        { type: 'separator' },
        item('Command Palette', 'palette', 'CmdOrCtrl+K'),
      ],
    },
    {
      label: '&View',
      submenu: [
        { role: 'reload' },
        { role: 'toggleDevTools' },
        { type: 'separator' },
        { role: 'resetZoom' },
        { role: 'zoomIn' },
        { role: 'zoomOut' },
        { type: 'separator' },
        { role: 'togglefullscreen' },
      ],
    },
    { role: 'windowMenu' },
    { role: 'help', submenu: [item('Keyboard Shortcuts', 'shortcuts', 'CmdOrCtrl+/')] },
  ];
}
