import { clipboard, Menu, nativeImage, Tray, type MenuItemConstructorOptions } from 'electron';
import type { AppState } from '../../../server/contract/bridge.ts';
import type { ServerHost } from '../host/server-host.ts';

export interface AppTrayOptions {
  readonly host: ServerHost;
  /** A PNG; one with `@2x` beside it is used on dense displays. */
  readonly icon: string;
  readonly open: () => void;
  readonly openInbox: () => void;
  readonly quit: () => void;
}

/** The icon in the tray; its menu follows the state of the registry. */
export class AppTray {
  readonly #options: AppTrayOptions;
  #tray: Tray | null = null;
  #offline: boolean | null = null;
  #waiting = 0;

  constructor(options: AppTrayOptions) {
    this.#options = options;
    const { host } = options;
    host.onState((state) => {
      this.#draw();
      if (state.phase === 'ready' && state.answering) void this.#read();
    });
    host.onEvent((event) => {
      if (event.topic === 'upstream.changed' && event.payload.subject === 'offline') void this.#read();
      if (event.topic === 'releases.changed' && event.payload.change !== 'approved') void this.#read();
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
    void this.#read();
  }

  #draw(): void {
    if (this.#tray === null) return;
    const { host, open, openInbox, quit } = this.#options;
    this.#tray.setToolTip(trayTip(host.state));
    const template = trayTemplate(
      { state: host.state, offline: this.#offline, waiting: this.#waiting },
      {
        open,
        openInbox,
        quit,
        copyAddress: (origin) => void clipboard.writeText(origin),
        setOffline: (offline) => void this.#setOffline(offline),
      },
    );
    this.#tray.setContextMenu(Menu.buildFromTemplate(template));
  }

  async #read(): Promise<void> {
    if (this.#tray === null) return;
    const { host } = this.#options;
    const [offline, releases] = await Promise.all([host.call('offline.get', {}), host.call('releases.list', {})]);
    this.#offline = offline.ok ? offline.value.mode === 'on' : null;
    this.#waiting = releases.ok ? releases.value.length : 0;
    this.#draw();
  }

  async #setOffline(offline: boolean): Promise<void> {
    // `auto`: Gatehouse detects whether other registries answer.
    await this.#options.host.call('offline.set', { mode: offline ? 'on' : 'auto' });
    await this.#read();
  }
}

export interface TrayActions {
  readonly open: () => void;
  readonly openInbox: () => void;
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

export interface TrayContent {
  readonly state: AppState;
  /** Null while unknown. */
  readonly offline: boolean | null;
  /** Releases that wait for approval. */
  readonly waiting: number;
}

/** The menu of the icon. */
export function trayTemplate(
  { state, offline, waiting }: TrayContent,
  actions: TrayActions,
): MenuItemConstructorOptions[] {
  const ready = state.phase === 'ready';
  return [
    { label: 'Open Gatehouse', click: actions.open },
    ...(ready && waiting > 0
      ? [
          {
            label: waiting === 1 ? '1 Request Waits for Approval' : `${waiting} Requests Wait for Approval`,
            click: actions.openInbox,
          },
        ]
      : []),
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
