import type { AppState } from '../../../server/contract/bridge.ts';
import { copyFolder } from './folder-copy.ts';
import { chooseTarget, claim, discard, holdsData, release, removeData } from './move-target.ts';
import type { ServerHost } from '../host/server-host.ts';
import type { Settings } from '../settings/settings.ts';

export interface DataFoldersOptions {
  readonly host: ServerHost;
  readonly settings: Settings;
  /** The data folder of now. */
  readonly current: () => string;
  /** Milliseconds between two reports of progress. */
  readonly reportEvery?: number;
}

/** Moves the registry's data, or switches to another folder. At every moment the settings name a complete folder. */
export class DataFolders {
  readonly #options: DataFoldersOptions;
  #moving: AbortController | null = null;
  #move: Promise<unknown> = Promise.resolve();

  constructor(options: DataFoldersOptions) {
    this.#options = options;
  }

  /**
   * Copies the data to `chosen` while the server is stopped, and serves it from there. Resolves to false if it was cancelled. Rejects with a
   * sentence for the person if it fails; the data is then served from the former folder.
   */
  async move(chosen: string): Promise<boolean> {
    if (this.#moving !== null)
      throw new Error('The data folder is being moved already. Wait until that is done, or stop it.');
    const moving = new AbortController();
    this.#moving = moving;
    const move = this.#copyAndSwitch(chosen, moving.signal).finally(() => (this.#moving = null));
    this.#move = move.catch(() => undefined);
    return move;
  }

  /** Cancels a move; resolves when its copy is removed. */
  async stopMove(): Promise<void> {
    this.#moving?.abort();
    await this.#move;
  }

  /** Switches to the data of another folder, or starts a registry in an empty one. Rejects with a sentence for the person. */
  async open(chosen: string): Promise<void> {
    const { host, settings, current } = this.#options;
    const target = (await holdsData(chosen)) ? chosen : await chooseTarget(current(), chosen);
    if (target === current()) return;
    settings.save({ dataDir: target, formerDataDirs: [] });
    await host.restart();
  }

  /** The folders that the data was moved from and that still hold it, the last one first. */
  async former(): Promise<string[]> {
    const { settings, current } = this.#options;
    const folders = settings.current.formerDataDirs.filter((folder) => folder !== current());
    const held = await Promise.all(folders.map((folder) => holdsData(folder).catch(() => false)));
    return folders.filter((_folder, index) => held[index]);
  }

  /** Deletes one of them. Resolves to false for any other folder. */
  async removeFormer(folder: string): Promise<boolean> {
    if (!(await this.former()).includes(folder)) return false;
    await removeData(folder);
    const { settings } = this.#options;
    settings.save({ formerDataDirs: settings.current.formerDataDirs.filter((each) => each !== folder) });
    return true;
  }

  async #copyAndSwitch(chosen: string, signal: AbortSignal): Promise<boolean> {
    const { host, settings, current } = this.#options;
    const { dataDir, formerDataDirs } = settings.current;
    const from = current();
    const to = await chooseTarget(from, chosen);
    try {
      await host.runWhileStopped(async (report) => {
        report({ from, to, done: 0, total: 0 });
        await claim(to, from);
        await copyFolder({
          from,
          to,
          signal,
          onProgress: this.#throttled((done, total) => report({ from, to, done, total })),
        });
      });
      // Cancelled during the last rename.
      signal.throwIfAborted();
      settings.save({ dataDir: to, formerDataDirs: [from, ...formerDataDirs.filter((each) => each !== to)] });
      await startAndWait(host, signal);
      await release(to);
      return true;
    } catch (error) {
      await host.stop();
      settings.save({ dataDir, formerDataDirs });
      await discard(to).catch(() => undefined);
      host.retry();
      if (signal.aborted) return false;
      throw error;
    }
  }

  #throttled(report: (done: number, total: number) => void): (done: number, total: number) => void {
    const every = this.#options.reportEvery ?? 100;
    let last = -Infinity;
    return (done, total) => {
      const now = performance.now();
      if (now - last < every && done < total) return;
      last = now;
      report(done, total);
    };
  }
}

/** Starts the server and resolves when it is ready; rejects with the cause if it fails, and at once when `signal` aborts. */
function startAndWait(host: ServerHost, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const cancel = (): void => {
      stop();
      reject(signal.reason as Error);
    };
    const check = (state: AppState): void => {
      if (state.phase !== 'ready' && state.phase !== 'failed') return;
      stop();
      signal.removeEventListener('abort', cancel);
      if (state.phase === 'ready') resolve();
      else reject(new Error(`The registry does not start in the new folder: ${state.cause} ${state.remedy}`));
    };
    const stop = host.onState(check);
    signal.addEventListener('abort', cancel, { once: true });
    host.retry();
  });
}
