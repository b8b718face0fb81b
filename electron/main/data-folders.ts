import { rm } from 'node:fs/promises';
import type { AppState } from '../../server/contract/bridge.ts';
import { copyFolder } from './folder-copy.ts';
import { chooseTarget, claim, discard, holdsData, release } from './move-target.ts';
import type { ServerHost } from './server-host.ts';
import type { Settings } from './settings.ts';

export interface DataFoldersOptions {
  readonly host: ServerHost;
  readonly settings: Settings;
  /** Where the data is now, by the settings. */
  readonly current: () => string;
  /** Milliseconds between two reports of progress. */
  readonly reportEvery?: number;
}

/** Moves the registry's data, or goes on with other data. At every moment one folder is whole, and the settings name it. */
export class DataFolders {
  readonly #options: DataFoldersOptions;
  #moving: AbortController | null = null;
  #move: Promise<unknown> = Promise.resolve();

  constructor(options: DataFoldersOptions) {
    this.#options = options;
  }

  /**
   * Copies the data to where `chosen` says, with the server down, and goes on there. Resolves to false if it was stopped. Rejects with a
   * sentence for the person if it cannot be done; the data is then served from where it was.
   */
  async move(chosen: string): Promise<boolean> {
    if (this.#moving !== null)
      throw new Error('The data folder is being moved already. Wait until that is done, or stop it.');
    const moving = new AbortController();
    this.#moving = moving;
    const move = this.#carryOut(chosen, moving.signal).finally(() => (this.#moving = null));
    this.#move = move.catch(() => undefined);
    return move;
  }

  /** Stops a move that is under way, and resolves when nothing is left of it. */
  async stopMove(): Promise<void> {
    this.#moving?.abort();
    await this.#move;
  }

  /** Goes on with the data of another folder, or begins there if it is empty. Rejects with a sentence for the person. */
  async open(chosen: string): Promise<void> {
    const { host, settings, current } = this.#options;
    const target = (await holdsData(chosen)) ? chosen : await chooseTarget(current(), chosen);
    if (target === current()) return;
    settings.save({ dataDir: target, formerDataDir: null });
    await host.restart();
  }

  /** Deletes the folder that the data was moved from. Resolves to false if there is none. */
  async removeFormer(): Promise<boolean> {
    const { settings, current } = this.#options;
    const former = settings.current.formerDataDir;
    if (former === null || former === current() || !(await holdsData(former))) return false;
    await rm(former, { recursive: true, force: true });
    settings.save({ formerDataDir: null });
    return true;
  }

  async #carryOut(chosen: string, signal: AbortSignal): Promise<boolean> {
    const { host, settings, current } = this.#options;
    const { dataDir, formerDataDir } = settings.current;
    const from = current();
    const to = await chooseTarget(from, chosen);
    try {
      await host.holdFor(async (tell) => {
        tell({ from, to, done: 0, total: 0 });
        await claim(to, from);
        await copyFolder({
          from,
          to,
          signal,
          onProgress: this.#slowly((done, total) => tell({ from, to, done, total })),
        });
      });
      // Stopped while the last file was given its name.
      signal.throwIfAborted();
      settings.save({ dataDir: to, formerDataDir: from });
      await startAndWait(host);
      await release(to);
      return true;
    } catch (error) {
      await host.stop();
      settings.save({ dataDir, formerDataDir });
      await discard(to).catch(() => undefined);
      host.retry();
      if (signal.aborted) return false;
      throw error;
    }
  }

  #slowly(report: (done: number, total: number) => void): (done: number, total: number) => void {
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

/** Starts the server and resolves when it is ready; rejects with the cause if it does not get there. */
function startAndWait(host: ServerHost): Promise<void> {
  return new Promise((resolve, reject) => {
    const check = (state: AppState): void => {
      if (state.phase !== 'ready' && state.phase !== 'failed') return;
      stop();
      if (state.phase === 'ready') resolve();
      else reject(new Error(`The registry does not start in the new folder: ${state.cause} ${state.remedy}`));
    };
    const stop = host.onState(check);
    host.retry();
  });
}
