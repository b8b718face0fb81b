import type { Destination } from './destinations.ts';
import type { ErrorCode, ErrorDetails, StartFailure } from './errors.ts';
import type { EventPayload, EventTopic } from './events.ts';
import type { MethodName, MethodParams, MethodResult } from './methods.ts';
import type { UpdateBridge } from './updates.ts';

/**
 * What the window sees of the rest of the app: the type of `window.gatehouse`, which the preload script exposes. Types only, so
 * that the page and the preload script can import it without pulling anything in.
 *
 * Nothing here throws or rejects for an expected cause: a call that fails resolves to `{ ok: false, error }`.
 */
export interface GatehouseBridge {
  /** Calls a method of the server. Resolves to `app_unavailable` when the server is not up or dies before it answers. */
  readonly call: <M extends MethodName>(method: M, params: MethodParams<M>) => Promise<CallReply<MethodResult<M>>>;
  /** Hears of every change on disk, in order. Returns the function that stops listening. */
  readonly onEvent: (listener: (event: BridgeEvent) => void) => Unsubscribe;
  readonly app: AppBridge;
  readonly updates: UpdateBridge;
}

/** What the page may ask of the desktop app itself. */
export interface AppBridge {
  /** The state of the hosted server, now. */
  readonly state: () => Promise<AppState>;
  /** Hears of every later state. A `ready` after anything else means: the server is new, refetch everything. */
  readonly onState: (listener: (state: AppState) => void) => Unsubscribe;
  /** Starts the server again: the way out of `failed`, a shortcut out of `restarting`, and a no-op otherwise. */
  readonly retry: () => Promise<void>;
  readonly info: () => Promise<AppInfo>;
  readonly settings: () => Promise<AppSettings>;
  /** Hears of the settings whenever this window or another has saved some. */
  readonly onSettings: (listener: (settings: AppSettings) => void) => Unsubscribe;
  /** Saves the given settings and returns all of them; a change of `port` or `largestTarball` restarts the server. */
  readonly saveSettings: (change: Partial<AppSettings>) => Promise<CallReply<AppSettings>>;
  /** Opens an http(s) link in the person's own browser. Resolves to false if the link is of another kind. */
  readonly openExternal: (url: string) => Promise<boolean>;
  /** Shows the data folder in the file manager. */
  readonly showDataFolder: () => Promise<void>;
  /**
   * Asks for a folder, copies the data there while the server is down, and goes on there; `moving` tells how far it is. Resolves to false
   * if the person chose no folder or stopped it. Whatever fails, the data stays where it was.
   */
  readonly moveDataFolder: () => Promise<CallReply<boolean>>;
  /** Asks for a folder with data of Gatehouse (or an empty one) and goes on there. Resolves to false if the person chose none. */
  readonly openDataFolder: () => Promise<CallReply<boolean>>;
  /** Stops a move that is under way; the copy is removed. */
  readonly stopMove: () => Promise<void>;
  /** Deletes the folder that the data was moved from. */
  readonly removeFormerDataFolder: () => Promise<CallReply<boolean>>;
  /** The last lines that the server wrote, oldest first. */
  readonly log: () => Promise<readonly string[]>;
  /** Puts plain text on the clipboard (the page itself has no clipboard permission). */
  readonly copyText: (text: string) => Promise<void>;
  /** Lets the person choose a folder; resolves to its path, or null if they think better of it. */
  readonly chooseFolder: (request: FileRequest) => Promise<string | null>;
  /** Lets the person choose a file that exists; resolves to its path or null. */
  readonly chooseFile: (request: FileRequest) => Promise<string | null>;
  /** Asks where to put a file that someone else writes; resolves to its path or null. */
  readonly chooseNewFile: (request: FileRequest) => Promise<string | null>;
  /** Asks where to put `text` and writes it there; resolves to the path, or null if nothing was written. */
  readonly saveText: (request: FileRequest, text: string) => Promise<CallReply<string | null>>;
  /** Hears of commands chosen in the application menu. */
  readonly onCommand: (listener: (command: MenuCommand) => void) => Unsubscribe;
}

/** What a file dialog says and offers. */
export interface FileRequest {
  /** Heading of the dialog, in the form "Back up to". */
  readonly title: string;
  /** Name to begin with, without a folder. */
  readonly suggestedName?: string | undefined;
  /** Endings that are shown, without the dot; all files if left out. */
  readonly extensions?: readonly string[] | undefined;
}

export type Unsubscribe = () => void;

export type CallReply<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly error: CallError };

export interface CallError {
  /** `app_unavailable`: no server to ask; `app_timeout`: it did not answer in time, so whether it acted is unknown. */
  readonly code: ErrorCode | 'app_unavailable' | 'app_timeout';
  /** A sentence for the person at the window. */
  readonly message: string;
  readonly details: ErrorDetails;
}

export type BridgeEvent = {
  [T in EventTopic]: { readonly seq: number; readonly topic: T; readonly payload: EventPayload<T> };
}[EventTopic];

/** Why the server is not running: one of the start failures of the contract, or it stopped by itself. */
export type AppFailure = StartFailure | 'crashed' | 'notStarted';

export type AppState =
  | { readonly phase: 'starting' }
  | {
      readonly phase: 'ready';
      /** `http://127.0.0.1:4899`, without a trailing slash. */
      readonly origin: string;
      readonly port: number;
      /** Process id of the server. */
      readonly pid: number;
    }
  | ({
      readonly phase: 'restarting';
      /** 1 for the first restart after a crash. */
      readonly attempt: number;
      /** Milliseconds since 1970 at which the server is started again. */
      readonly restartAt: number;
    } & Trouble)
  | ({ readonly phase: 'failed'; readonly failure: AppFailure } & Trouble)
  | ({ readonly phase: 'moving' } & MoveProgress);

/** How far the move of the data folder is. `total` is 0 until it is known; both in bytes, each counted once for the copy and once for its check. */
export interface MoveProgress {
  readonly from: string;
  readonly to: string;
  readonly done: number;
  readonly total: number;
}

export interface Trouble {
  /** One sentence: what happened. */
  readonly cause: string;
  /** One or two sentences: what the person can do about it. */
  readonly remedy: string;
  /** The last lines that the server wrote, oldest first. */
  readonly logTail: readonly string[];
}

export interface AppInfo {
  readonly version: string;
  readonly platform: 'linux' | 'darwin' | 'win32' | 'other';
  readonly electron: string;
  readonly chromium: string;
  readonly node: string;
  readonly dataDir: string;
  /** Whether the environment (`GATEHOUSE_DATA_DIR`) decides about the data folder, so that it cannot be moved from here. */
  readonly dataDirIsFixed: boolean;
  /** The folder that the data was moved from, as long as it is there. */
  readonly formerDataDir: string | null;
  /** Whether this copy of the app can be started at login. */
  readonly canStartAtLogin: boolean;
}

export type ThemeChoice = 'system' | 'light' | 'dark';

export interface AppSettings {
  readonly theme: ThemeChoice;
  /** TCP port of the registry; 0 lets the system pick one at every start. */
  readonly port: number;
  /** Whether the registry goes on, with an icon in the tray, when the last window closes. */
  readonly keepInTray: boolean;
  /** Whether publishes, logins that wait and failures are told as notifications while no window has the focus. */
  readonly notifications: boolean;
  /** Whether the system starts the app when the person logs in. */
  readonly startAtLogin: boolean;
  /** The largest tarball that a publish may have, in MiB. */
  readonly largestTarball: number;
  /** Whether newer versions are looked for at every start, where the app can update itself. */
  readonly checkUpdatesAtStart: boolean;
}

/** Ids that the application menu sends and the window carries out. */
export type MenuCommand = Destination['command'] | 'find' | 'palette' | 'shortcuts';

declare global {
  interface Window {
    readonly gatehouse: GatehouseBridge;
  }
}
