import type { CancellationToken, ProgressInfo, UpdateInfo } from 'electron-updater';
import type { UpdateOffer, UpdateState } from '../../../server/contract/updates.ts';

/** The part of electron-updater's `AppUpdater` that is used. */
export interface UpdateClient {
  autoDownload: boolean;
  autoInstallOnAppQuit: boolean;
  checkForUpdates(): Promise<{ readonly isUpdateAvailable: boolean; readonly updateInfo: UpdateInfo } | null>;
  downloadUpdate(token: CancellationToken): Promise<unknown>;
  on(event: 'download-progress', listener: (progress: ProgressInfo) => void): unknown;
  on(event: 'error', listener: (error: Error) => void): unknown;
}

export interface LoadedUpdater {
  readonly client: UpdateClient;
  readonly newToken: () => CancellationToken;
}

export interface UpdaterOptions {
  /** Loads electron-updater at first use; null if this copy of the app cannot update itself. */
  readonly load: () => Promise<LoadedUpdater | null>;
  readonly onState: (state: UpdateState) => void;
  /** Called while the app quits, if the downloaded version could not be installed. */
  readonly onInstallError: (error: Error) => void;
}

/** Turns electron-updater into the states of the contract. */
export class Updater {
  readonly #options: UpdaterOptions;
  #loading: Promise<LoadedUpdater | null> | null = null;
  #state: UpdateState = { phase: 'idle' };
  #download: CancellationToken | null = null;

  constructor(options: UpdaterOptions) {
    this.#options = options;
  }

  async state(): Promise<UpdateState> {
    await this.#loaded();
    return this.#state;
  }

  /** Does nothing where updates are not supported, or while a check or a download runs or a newer version is ready. */
  async check(): Promise<void> {
    const loaded = await this.#loaded();
    const { phase } = this.#state;
    if (loaded === null || phase === 'checking' || phase === 'downloading' || phase === 'ready') return;
    this.#setState({ phase: 'checking' });
    try {
      const result = await loaded.client.checkForUpdates();
      this.#setState(
        result?.isUpdateAvailable === true
          ? { phase: 'available', offer: offerOf(result.updateInfo) }
          : { phase: 'newest', checkedAt: Date.now() },
      );
    } catch (error) {
      this.#setState({ phase: 'failed', offer: null, cause: `The check failed: ${firstLine(error)}` });
    }
  }

  /** Downloads the version that the last check found; nothing without one. */
  async download(): Promise<void> {
    const loaded = await this.#loaded();
    const state = this.#state;
    const offer = state.phase === 'available' || state.phase === 'failed' ? state.offer : null;
    if (loaded === null || offer === null) return;
    const token = loaded.newToken();
    this.#download = token;
    this.#setState({ phase: 'downloading', offer, received: 0, total: 0 });
    try {
      await loaded.client.downloadUpdate(token);
      this.#setState({ phase: 'ready', offer });
    } catch (error) {
      this.#setState(
        token.cancelled
          ? { phase: 'available', offer }
          : { phase: 'failed', offer, cause: `The download failed: ${firstLine(error)}` },
      );
    } finally {
      this.#download = null;
    }
  }

  cancel(): void {
    this.#download?.cancel();
  }

  #loaded(): Promise<LoadedUpdater | null> {
    this.#loading ??= this.#load();
    return this.#loading;
  }

  async #load(): Promise<LoadedUpdater | null> {
    const loaded = await this.#options.load();
    if (loaded === null) {
      this.#state = { phase: 'unsupported' };
      return null;
    }
    const { client } = loaded;
    client.autoDownload = false;
    // The person agreed to this with the download.
    client.autoInstallOnAppQuit = true;
    client.on('download-progress', ({ transferred, total }) => {
      const state = this.#state;
      if (state.phase === 'downloading') this.#setState({ ...state, received: transferred, total });
    });
    // Failed checks and downloads reject as well; an installation, which runs at quit, has only this event.
    client.on('error', (error) => {
      if (this.#state.phase === 'ready') this.#options.onInstallError(error);
    });
    return loaded;
  }

  #setState(state: UpdateState): void {
    this.#state = state;
    this.#options.onState(state);
  }
}

function offerOf({ version, releaseDate, releaseNotes }: UpdateInfo): UpdateOffer {
  const notes = Array.isArray(releaseNotes)
    ? releaseNotes.map((release) => `${release.version}\n${release.note ?? ''}`).join('\n\n')
    : (releaseNotes ?? '');
  return { version, releasedAt: releaseDate || null, notes: notes.trim() || null };
}

/** electron-updater's messages hold whole responses and stacks after the first line. */
function firstLine(error: unknown): string {
  const [line = ''] = (error instanceof Error ? error.message : String(error)).split('\n');
  return line;
}
