import type { CallReply } from '../../../server/contract/bridge.ts';
import type { UpdateOffer, Updates, UpdateState } from '../../../server/contract/updates.ts';
import { replaceAppImage } from './app-image.ts';
import { feedAddress, FeedAddressError } from './feed-address.ts';
import { feedFileName, FeedFileError, readFeed, type CheckedOffer, type Target } from './feed-file.ts';
import { fetchFile, fetchText, UpdateFailure, type Fetch } from './fetch-update.ts';
import { reasonOf } from '../replies.ts';

/** Milliseconds that a feed may take to answer. */
const longestCheck = 30_000;

export interface UpdaterOptions {
  readonly target: Target;
  /** The version that runs. */
  readonly version: string;
  /** The feed of the settings; asked anew at every use. */
  readonly chosenFeed: () => string | null;
  readonly builtInFeed: string | null;
  /** The file that a newer version may take the place of, or null. */
  readonly appImage: string | null;
  /** Holds a downloaded version, and nothing else. */
  readonly folder: string;
  readonly fetch: Fetch;
  readonly now?: () => number;
}

/** Looks for newer versions, downloads one and puts it in this one's place: each only when told to. */
export class Updater {
  readonly #options: UpdaterOptions;
  readonly #listeners = new Set<(updates: Updates) => void>();
  #state: UpdateState = { phase: 'unknown' };
  #offer: CheckedOffer | null = null;
  #work: { readonly abort: AbortController; readonly done: Promise<void> } | null = null;

  constructor(options: UpdaterOptions) {
    this.#options = options;
  }

  get updates(): Updates {
    const { builtInFeed, appImage } = this.#options;
    return { state: this.#state, feed: this.#feed, builtInFeed, canReplaceItself: appImage !== null };
  }

  /** Hears of every later state. */
  onChange(listener: (updates: Updates) => void): void {
    this.#listeners.add(listener);
  }

  /** Asks the feed what is the newest version. */
  async check(): Promise<void> {
    if (this.#work !== null || this.#feed === null) return;
    const before = this.#state;
    await this.#run(before, async (abort) => {
      this.#setState({ phase: 'checking' });
      const timer = setTimeout(() => abort.abort(new UpdateFailure(...tooSlow)), longestCheck);
      const former = this.#offer;
      let offer: CheckedOffer | null;
      try {
        offer = await this.#ask(abort.signal);
      } finally {
        clearTimeout(timer);
      }
      this.#offer = offer;
      if (offer === null) this.#setState({ phase: 'newest', checkedAt: (this.#options.now ?? Date.now)() });
      // The same again: what was downloaded of it still counts.
      else if (before.phase === 'downloaded' && offer.sha512 === former?.sha512) this.#setState(before);
      else this.#setState({ phase: 'available', offer: offerFor(offer) });
    });
  }

  /** Downloads the version that the last check found. */
  async download(): Promise<void> {
    const offer = this.#offer;
    if (this.#work !== null || offer === null || this.#state.phase === 'downloaded') return;
    const shown = offerFor(offer);
    await this.#run({ phase: 'available', offer: shown }, async ({ signal }) => {
      this.#setState({ phase: 'downloading', offer: shown, received: 0 });
      let told = 0;
      const tell = (received: number): void => {
        // A hundred steps are enough for a bar; each goes to every window.
        if (received - told < (offer.size ?? 50_000_000) / 100) return;
        told = received;
        this.#setState({ phase: 'downloading', offer: shown, received });
      };
      const { fetch, folder } = this.#options;
      const file = await fetchFile(fetch, offer, folder, { signal, tell });
      this.#setState({ phase: 'downloaded', offer: shown, file, installsOnQuit: false });
    });
  }

  /** Ends what is under way, and resolves when nothing of it is left. */
  async stop(): Promise<void> {
    this.#work?.abort.abort(stopped);
    await this.#work?.done;
  }

  /** Another feed was chosen: what the former one said no longer counts. */
  async forget(): Promise<void> {
    await this.stop();
    this.#offer = null;
    this.#setState({ phase: 'unknown' });
  }

  installOnQuit(wanted: boolean): CallReply<boolean> {
    const state = this.#state;
    if (state.phase !== 'downloaded')
      return refusal('No newer version was downloaded. Look for one and download it first.');
    if (this.#options.appImage === null)
      return refusal('This copy of Gatehouse cannot replace itself. Put the downloaded file in its place yourself.');
    this.#setState({ ...state, installsOnQuit: wanted });
    return { ok: true, value: wanted };
  }

  /** The last thing before the app ends. Throws an Error if the newer version could not take this one's place; this one stays then. */
  async quit(): Promise<void> {
    await this.stop();
    const state = this.#state;
    const { appImage } = this.#options;
    if (state.phase !== 'downloaded' || !state.installsOnQuit || appImage === null || this.#offer === null) return;
    await replaceAppImage(appImage, state.file, this.#offer.sha512);
  }

  get #feed(): string | null {
    return this.#options.chosenFeed() ?? this.#options.builtInFeed;
  }

  async #ask(signal: AbortSignal): Promise<CheckedOffer | null> {
    const { target, version, fetch } = this.#options;
    const file = new URL(feedFileName(target), feedAddress(this.#feed ?? ''));
    return readFeed(await fetchText(fetch, file, signal), file, target, version);
  }

  /** One thing at a time; `before` is the state to go back to when it is stopped. */
  async #run(before: UpdateState, work: (abort: AbortController) => Promise<void>): Promise<void> {
    const abort = new AbortController();
    const done = work(abort)
      .catch((error: unknown) => this.#setState(this.#stateAfter(error, before, abort.signal)))
      .finally(() => (this.#work = null));
    this.#work = { abort, done };
    await done;
  }

  #stateAfter(error: unknown, before: UpdateState, signal: AbortSignal): UpdateState {
    if (signal.aborted && signal.reason === stopped) return before;
    const known: unknown = signal.aborted ? signal.reason : error;
    const offer = before.phase === 'available' && this.#state.phase === 'downloading' ? before.offer : null;
    const cause = reasonOf(known);
    return { phase: 'failed', offer, cause, remedy: remedyFor(known) };
  }

  #setState(state: UpdateState): void {
    this.#state = state;
    for (const listener of this.#listeners) listener(this.updates);
  }
}

const stopped = new Error('The person stopped it.');
const tooSlow = ['The feed did not answer in time.', 'Check the network, then try again.'] as const;

function remedyFor(error: unknown): string {
  if (error instanceof UpdateFailure) return error.remedy;
  if (error instanceof FeedAddressError) return 'Change the address of the feed.';
  if (error instanceof FeedFileError) return 'Check the address of the feed, or tell whoever runs it.';
  return 'Try again.';
}

/** What the page is to see of it. */
function offerFor({ sha512: _sha512, ...offer }: CheckedOffer): UpdateOffer {
  return offer;
}

function refusal(message: string): CallReply<never> {
  return { ok: false, error: { code: 'invalid_request', message, details: {} } };
}
