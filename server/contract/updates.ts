import type { CallReply, Unsubscribe } from './bridge.ts';

/** What the page may ask of the part of the app that looks for newer versions. Nothing is asked or fetched before the person says so. */
export interface UpdateBridge {
  readonly state: () => Promise<Updates>;
  /** Hears of every later state. */
  readonly onState: (listener: (updates: Updates) => void) => Unsubscribe;
  /** Asks the feed. The outcome is told as a state. */
  readonly check: () => Promise<void>;
  /** Downloads the version that was found, and checks it. How far it is and how it ends is told as a state. */
  readonly download: () => Promise<void>;
  /** Stops a check or a download that is under way; nothing of it is kept. */
  readonly stop: () => Promise<void>;
  /** Whether the downloaded version is to take this one's place when the app quits. Fails where it cannot. */
  readonly installOnQuit: (wanted: boolean) => Promise<CallReply<boolean>>;
  /** Shows the downloaded file in the file manager. */
  readonly show: () => Promise<void>;
}

/** A version that the feed offers. */
export interface UpdateOffer {
  readonly version: string;
  /** `2026-11-21` or with a time, as the feed has it; null if it does not say. */
  readonly releasedAt: string | null;
  /** Plain text or Markdown; null if the feed has none. */
  readonly notes: string | null;
  readonly fileName: string;
  /** Bytes; null if the feed does not say. */
  readonly size: number | null;
  /** Where the file lies, for a browser. */
  readonly address: string;
}

export type UpdateState =
  /** Nobody has asked since the app started or the feed was changed. */
  | { readonly phase: 'unknown' }
  | { readonly phase: 'checking' }
  /** Nothing newer; `checkedAt` in milliseconds since 1970. */
  | { readonly phase: 'newest'; readonly checkedAt: number }
  | { readonly phase: 'available'; readonly offer: UpdateOffer }
  /** `received` in bytes. */
  | { readonly phase: 'downloading'; readonly offer: UpdateOffer; readonly received: number }
  /** The file is there and is what the feed says. */
  | {
      readonly phase: 'downloaded';
      readonly offer: UpdateOffer;
      readonly file: string;
      readonly installsOnQuit: boolean;
    }
  /** `offer` if it was the download that failed. `cause` and `remedy` are sentences for the person. */
  | {
      readonly phase: 'failed';
      readonly offer: UpdateOffer | null;
      readonly cause: string;
      readonly remedy: string;
    };

export interface Updates {
  readonly state: UpdateState;
  /** The folder that is asked, from the settings or from the build; null if there is none. */
  readonly feed: string | null;
  /** The address that the build brought along, which the person's own beats. */
  readonly builtInFeed: string | null;
  /** Whether this copy of the app can put a newer one in its own place. */
  readonly canReplaceItself: boolean;
}
