import { clipboard, Menu, nativeImage, Tray, type MenuItemConstructorOptions } from 'electron';
import type { AppState } from '../../../server/contract/bridge.ts';
import type { ServerHost } from '../host/server-host.ts';

export interface AppTrayOptions {
  readonly host: ServerHost;
  /** A PNG; one with `@2x` beside it is used on dense displays. */
  readonly icon: string;
  readonly open: () => void;
  readonly quit: () => void;
}

/** The icon in the tray; its menu follows the state of the registry. */
export class AppTray {
  readonly #options: AppTrayOptions;
  #tray: Tray | null = null;
  #offline: boolean | null = null;

  constructor(options: AppTrayOptions) {
    this.#options = options;
    const { host } = options;
    host.onState((state) => {
      this.#draw();
      if (state.phase === 'ready' && state.answering) void this.#readOffline();
    });
    host.onEvent((event) => {
      if (event.topic === 'upstream.changed' && event.payload.subject === 'offline') void this.#readOffline();
    });
  }

  /** Shows or removes the icon. */
  show(visible: boolean): void {
    if (!visible) {
      this.#tray?.destroy();
      this.#tray = null;
      return;
    }
    if (this.#tray !== null) return;
    this.#tray = new Tray(nativeImage.createFromPath(this.#options.icon));
    this.#tray.on('click', this.#options.open);
    this.#draw();
    void this.#readOffline();
  }

  #draw(): void {
    if (this.#tray === null) return;
    const { host, open, quit } = this.#options;
    this.#tray.setToolTip(trayTip(host.state));
    const template = trayTemplate(host.state, this.#offline, {
      open,
      quit,
      copyAddress: (origin) => void clipboard.writeText(origin),
      setOffline: (offline) => void this.#setOffline(offline),
    });
    this.#tray.setContextMenu(Menu.buildFromTemplate(template));
  }

  async #readOffline(): Promise<void> {
    if (this.#tray === null) return;
    const reply = await this.#options.host.call('offline.get', {});
    this.#offline = reply.ok ? reply.value.mode === 'on' : null;
    this.#draw();
  }

  async #setOffline(offline: boolean): Promise<void> {
    // `auto`: Gatehouse detects whether other registries answer.
    await this.#options.host.call('offline.set', { mode: offline ? 'on' : 'auto' });
    await this.#readOffline();
  }
}

export interface TrayActions {
  readonly open: () => void;
  readonly copyAddress: (origin: string) => void;
  readonly setOffline: (offline: boolean) => void;
  readonly quit: () => void;
}

/** The tooltip of the icon. */
export function trayTip(state: AppState): string {
  switch (state.phase) {
    case 'ready':
      return state.answering
        ? `Gatehouse at ${withoutScheme(state.origin)}`
        : 'Gatehouse: the registry is not answering';
    case 'failed':
      return 'Gatehouse: the registry is not running';
    case 'moving':
      return 'Gatehouse: moving the data folder';
    case 'starting':
    case 'restarting':
      return 'Gatehouse: the registry is starting';
  }
}

/** The menu of the icon. `offline` is null while unknown. */
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
