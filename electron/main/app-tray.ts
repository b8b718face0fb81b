import { clipboard, Menu, nativeImage, Tray } from 'electron';
import type { ServerHost } from './server-host.ts';
import { trayTemplate, trayTip } from './tray-menu.ts';

export interface AppTrayOptions {
  readonly host: ServerHost;
  /** A PNG; one with `@2x` beside it is used on dense displays. */
  readonly icon: string;
  readonly open: () => void;
  readonly quit: () => void;
}

/** The icon in the tray, there as long as the settings ask for it; its menu follows the registry. */
export class AppTray {
  readonly #options: AppTrayOptions;
  #tray: Tray | null = null;
  #offline: boolean | null = null;

  constructor(options: AppTrayOptions) {
    this.#options = options;
    const { host } = options;
    host.onState((state) => {
      this.#draw();
      if (state.phase === 'ready') void this.#learnOffline();
    });
    host.onEvent((event) => {
      if (event.topic === 'upstream.changed' && event.payload.subject === 'offline') void this.#learnOffline();
    });
  }

  /** Puts the icon there or takes it away. */
  show(wanted: boolean): void {
    if (!wanted) {
      this.#tray?.destroy();
      this.#tray = null;
      return;
    }
    if (this.#tray !== null) return;
    this.#tray = new Tray(nativeImage.createFromPath(this.#options.icon));
    this.#tray.on('click', this.#options.open);
    this.#draw();
    void this.#learnOffline();
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

  async #learnOffline(): Promise<void> {
    if (this.#tray === null) return;
    const reply = await this.#options.host.call('offline.get', {});
    this.#offline = reply.ok ? reply.value.mode === 'on' : null;
    this.#draw();
  }

  async #setOffline(offline: boolean): Promise<void> {
    // Off again means that Gatehouse finds out by itself whether the others answer.
    await this.#options.host.call('offline.set', { mode: offline ? 'on' : 'auto' });
    await this.#learnOffline();
  }
}
