import type { MenuItemConstructorOptions } from 'electron';
import type { MenuCommand } from '../../../server/contract/bridge.ts';
import { destinations } from '../../../server/contract/destinations.ts';

export interface MenuActions {
  readonly command: (command: MenuCommand) => void;
  readonly newWindow: () => void;
  readonly showDataFolder: () => void;
  readonly restartServer: () => void;
}

/** The application menu. */
export function menuTemplate(platform: NodeJS.Platform, actions: MenuActions): MenuItemConstructorOptions[] {
  const isMac = platform === 'darwin';
  const item = (label: string, command: MenuCommand, shortcut: string): MenuItemConstructorOptions => ({
    label,
    accelerator: shortcut.replace('mod', 'CmdOrCtrl'),
    // The page handles its shortcuts; here they are only shown.
    registerAccelerator: false,
    click: () => actions.command(command),
  });
  return [
    ...(isMac ? [{ role: 'appMenu' } as const] : []),
    {
      label: '&File',
      submenu: [
        item('Add to This List', 'new', 'mod+N'),
        item('Save', 'save', 'mod+S'),
        { type: 'separator' },
        { label: 'New Window', accelerator: 'CmdOrCtrl+Shift+N', click: actions.newWindow },
        { type: 'separator' },
        { label: 'Show Data Folder', click: actions.showDataFolder },
        { id: 'restart-server', label: 'Restart Registry', click: actions.restartServer },
        { type: 'separator' },
        isMac ? { role: 'close' } : { role: 'quit' },
      ],
    },
    {
      label: '&Edit',
      submenu: [
        // A Mac gives the keys of fields to items with a role only; the page still hears them before.
        isMac ? { role: 'undo' } : item('Undo', 'undo', 'mod+Z'),
        { role: 'redo' },
        { type: 'separator' },
        { role: 'cut' },
        { role: 'copy' },
        { role: 'paste' },
        { role: 'selectAll' },
        { type: 'separator' },
        item('Find', 'find', 'mod+F'),
      ],
    },
    {
      label: '&Go',
      submenu: [
        item('Back', 'back', isMac ? 'mod+[' : 'Alt+Left'),
        item('Forward', 'forward', isMac ? 'mod+]' : 'Alt+Right'),
        { type: 'separator' },
        ...destinations.map(({ label, command, shortcut }) => item(label, command, shortcut)),
        { type: 'separator' },
        item('Command Palette', 'palette', 'mod+K'),
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
    { role: 'help', submenu: [item('Keyboard Shortcuts', 'shortcuts', 'mod+/')] },
  ];
}
