import type { MenuItemConstructorOptions } from 'electron';
import type { AppState } from '../../server/contract/bridge.ts';

export interface TrayActions {
  readonly open: () => void;
  readonly copyAddress: (origin: string) => void;
  readonly setOffline: (offline: boolean) => void;
  readonly quit: () => void;
}

/** What the icon in the tray says when pointed at. */
export function trayTip(state: AppState): string {
  switch (state.phase) {
    case 'ready':
      return `Gatehouse at ${withoutScheme(state.origin)}`;
    case 'failed':
      return 'Gatehouse: the registry is not running';
    case 'moving':
      return 'Gatehouse: moving the data folder';
    case 'starting':
    case 'restarting':
      return 'Gatehouse: the registry is starting';
  }
}

/** The menu of the icon in the tray. `offline` is null while it is not known. */
export function trayTemplate(
  state: AppState,
  offline: boolean | null,
  actions: TrayActions,
): MenuItemConstructorOptions[] {
  const ready = state.phase === 'ready';
  return [
    { label: 'Open Gatehouse', click: actions.open },
    { type: 'separator' },
    ready
      ? { label: `Copy ${state.origin}`, click: () => actions.copyAddress(state.origin) }
      : { label: trayTip(state), enabled: false },
    {
      label: 'Work Offline',
      type: 'checkbox',
      checked: offline === true,
      enabled: ready && offline !== null,
      click: (item) => actions.setOffline(item.checked),
    },
    { type: 'separator' },
    { label: 'Quit Gatehouse', click: actions.quit },
  ];
}

function withoutScheme(origin: string): string {
  return origin.replace(/^https?:\/\//, '');
}
