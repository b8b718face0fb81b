import { dialog } from 'electron';
import { showFile } from '../external-links.ts';
import { announce, handle } from '../gateway.ts';
import { reasonOf } from '../replies.ts';
import type { Settings } from '../settings.ts';
import type { Updater } from './updater.ts';

/**
 * Answers the page about newer versions. What it takes to look for them is read at the first question, so that a start costs nothing for it.
 */
export class UpdateDesk {
  readonly #settings: Settings;
  #updater: Promise<Updater> | null = null;

  constructor(settings: Settings) {
    this.#settings = settings;
    handle('gatehouse:updates', async () => (await this.#ready()).updates);
    handle('gatehouse:check-updates', async () => (await this.#ready()).check());
    handle('gatehouse:download-update', async () => (await this.#ready()).download());
    handle('gatehouse:stop-update', async () => (await this.#ready()).stop());
    handle('gatehouse:install-update-on-quit', async (wanted) => (await this.#ready()).installOnQuit(wanted));
    handle('gatehouse:show-update', async () => {
      const { state } = (await this.#ready()).updates;
      if (state.phase === 'downloaded') showFile(state.file);
    });
  }

  /** Looks for a newer version if the person wants that at every start. */
  async started(): Promise<void> {
    if (this.#settings.current.checkUpdatesAtStart) await (await this.#ready()).check();
  }

  /** The person chose another feed. */
  async feedChanged(): Promise<void> {
    await (await this.#updater)?.forget();
  }

  /** Ends what is under way and puts a newer version in place, if that was asked for. */
  async quit(): Promise<void> {
    try {
      await (await this.#updater)?.quit();
    } catch (error) {
      dialog.showErrorBox(
        'The newer Gatehouse could not be installed',
        `${reasonOf(error)}\n\nThis one stays as it is.`,
      );
    }
  }

  #ready(): Promise<Updater> {
    this.#updater ??= this.#load();
    return this.#updater;
  }

  async #load(): Promise<Updater> {
    const { makeUpdater } = await import('./make-updater.ts');
    const updater = await makeUpdater(() => this.#settings.current.updateFeed);
    updater.onChange((updates) => announce('gatehouse:updates-changed', updates));
    return updater;
  }
}
