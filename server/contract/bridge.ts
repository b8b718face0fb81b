import type { Destination } from './destinations.ts';
import type { ErrorCode, ErrorDetails, StartFailure } from './errors.ts';
import type { EventPayload, EventTopic } from './events.ts';
import type { DoctorReport, Snapshot } from './maintenance.ts';
import type { MethodName, MethodParams, MethodResult } from './methods.ts';
import type { UpdateState } from './updates.ts';

/**
 * The type of `window.gatehouse`, which the preload script exposes to the page. Nothing here throws or rejects for an expected cause: a
 * call that fails resolves to `{ ok: false, error }`.
 */
export interface GatehouseBridge {
  /** The locale in which the system writes dates and times (`de-DE`); undefined for the page's own. */
  readonly dateLocale: string | undefined;
  /** Calls a method of the server. Resolves to `app_unavailable` when the server is not up or dies before it answers. */
  readonly call: <M extends MethodName>(method: M, params: MethodParams<M>) => Promise<CallReply<MethodResult<M>>>;
  /** Reports every change on disk, in order. Returns the function that stops listening. */
  readonly onEvent: (listener: (event: BridgeEvent) => void) => Unsubscribe;
  readonly app: AppBridge;
  readonly updates: UpdateBridge;
}

/** The desktop app itself. */
export interface AppBridge {
  /** The state of the hosted server, now. */
  readonly state: () => Promise<AppState>;
  /** Reports every change of the state. `ready` and `answering` mean a new server, or one that froze: refetch everything. */
  readonly onState: (listener: (state: AppState) => void) => Unsubscribe;
  /** Starts the server in `failed` or `restarting`, and restarts one that does not answer; does nothing otherwise. */
  readonly retry: () => Promise<void>;
  /** Stops the server and starts it again. */
  readonly restart: () => Promise<void>;
  readonly info: () => Promise<AppInfo>;
  readonly settings: () => Promise<AppSettings>;
  /** Reports the settings when this window or another has saved some. */
  readonly onSettings: (listener: (settings: AppSettings) => void) => Unsubscribe;
  /** Saves the given settings and returns all of them; a change of `port`, `serveOthers` or `largestTarball` restarts the server. */
  readonly saveSettings: (change: Partial<AppSettings>) => Promise<CallReply<AppSettings>>;
  /** Opens an http(s) link in the person's browser. Resolves to false for any other link. */
  readonly openExternal: (url: string) => Promise<boolean>;
  /** Shows the data folder in the file manager. */
  readonly showDataFolder: () => Promise<CallReply<null>>;
  /**
   * Asks for a folder, copies the data there while the server is stopped, and switches to it; the state `moving` has the progress.
   * Resolves to false if the person chose no folder or cancelled. If it fails, the data stays where it was.
   */
  readonly moveDataFolder: () => Promise<CallReply<boolean>>;
  /** Asks for a folder with a registry (or an empty one) and switches to it. Resolves to false if the person chose none. */
  readonly openDataFolder: () => Promise<CallReply<boolean>>;
  /** Cancels a move; the copy is removed. */
  readonly stopMove: () => Promise<void>;
  /** Deletes one of `formerDataDirs`; resolves to false for any other folder. */
  readonly removeFormerDataFolder: (folder: string) => Promise<CallReply<boolean>>;
  /** The last lines that the server wrote, oldest first. */
  readonly log: () => Promise<readonly string[]>;
  /** Copies plain text to the clipboard, for which the page has no permission. */
  readonly copyText: (text: string) => Promise<void>;
  /**
   * Lets the person choose a folder; resolves to its path, or null if cancelled. This window may then name it in calls that expect a
   * folder, and so with the following two. Calls that name any other path are refused.
   */
  readonly chooseFolder: (request: FileRequest) => Promise<string | null>;
  /** Lets the person choose an existing file; resolves to its path or null. */
  readonly chooseFile: (request: FileRequest) => Promise<string | null>;
  /** Lets the person choose where a file will be written; resolves to its path or null. */
  readonly chooseNewFile: (request: FileRequest) => Promise<string | null>;
  /** Shows a file in the file manager; only one that `chooseNewFile` gave to this window. */
  readonly showNewFile: (file: string) => Promise<CallReply<null>>;
  /** Writes `text` where the person chooses; resolves to the path, or null if cancelled. */
  readonly saveText: (request: FileRequest, text: string) => Promise<CallReply<string | null>>;
  /** Saves the tarball of a version where the person chooses; resolves to the path, or null if cancelled. */
  readonly downloadTarball: (subject: VersionSubject) => Promise<CallReply<string | null>>;
  /** Shows it in the file manager; `saved` without a copy that is still there shows the one in the data folder. */
  readonly showTarball: (subject: VersionSubject, which: TarballPlace) => Promise<CallReply<null>>;
  /** Shows a backup in the file manager; only one that `maintenance.schedule` lists, by its `file`. */
  readonly showBackup: (archive: string) => Promise<CallReply<null>>;
  /** Shows the folder of scheduled backups in the file manager. */
  readonly showBackupFolder: () => Promise<CallReply<null>>;
  /** Snapshots of a registry that does not start, newest first. */
  readonly recoverySnapshots: () => Promise<CallReply<readonly Snapshot[]>>;
  /** Puts a snapshot in the place of a damaged database, which is kept, and starts the registry. Resolves to false if it was cancelled. */
  readonly recoverSnapshot: (name: string) => Promise<CallReply<boolean>>;
  /**
   * Asks for a backup and a folder, restores it there and starts the registry from there. Resolves to false if the person chose none or
   * cancelled. The present folder stays as it is.
   */
  readonly recoverBackup: () => Promise<CallReply<boolean>>;
  /** Checks the data of a registry that does not start, and repairs what can be repaired. Resolves to null if it was cancelled. */
  readonly repairData: () => Promise<CallReply<DoctorReport | null>>;
  /** Cancels one of these three; a restore leaves everything as it was. */
  readonly stopRecovery: () => Promise<void>;
  /** Reports commands chosen in the application menu. */
  readonly onCommand: (listener: (command: MenuCommand) => void) => Unsubscribe;
}

/** Newer versions of the app. Nothing is requested, downloaded or installed before the person says so. */
export interface UpdateBridge {
  readonly state: () => Promise<UpdateState>;
  /** Reports every change of the state. */
  readonly onState: (listener: (state: UpdateState) => void) => Unsubscribe;
  /** Looks for a newer version. The outcome is a state. */
  readonly check: () => Promise<void>;
  /** Downloads and verifies the version that was found; it is installed when the app quits. The outcome is a state. */
  readonly download: () => Promise<void>;
  /** Cancels the download. */
  readonly cancel: () => Promise<void>;
}

/** The copy that was saved last, or the file in the data folder. */
export type TarballPlace = 'saved' | 'stored';

/** A version of a package. */
export interface VersionSubject {
  readonly packageId: number;
  readonly version: string;
}

/** A file dialog. */
export interface FileRequest {
  /** Heading of the dialog, in the form "Back up to". */
  readonly title: string;
  /** File name without a folder. */
  readonly suggestedName?: string | undefined;
  /** File extensions without the dot; all files if left out. */
  readonly extensions?: readonly string[] | undefined;
}

export type Unsubscribe = () => void;

export type CallReply<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly error: CallError };

export interface CallError {
  /** `app_unavailable`: no server runs; `app_timeout`: no reply in time, so whether it acted is unknown; `app_path_not_chosen`: no dialog gave that path. */
  readonly code: ErrorCode | 'app_unavailable' | 'app_timeout' | 'app_path_not_chosen';
  /** A sentence for the person at the window. */
  readonly message: string;
  readonly details: ErrorDetails;
}

export type BridgeEvent = {
  [T in EventTopic]: { readonly seq: number; readonly topic: T; readonly payload: EventPayload<T> };
}[EventTopic];

/** Why the server does not run. */
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
      /** False while the server runs but replies to nothing: frozen, or busy for long. */
      readonly answering: boolean;
    }
  | ({
      readonly phase: 'restarting';
      /** 1 for the first restart after a crash. */
      readonly attempt: number;
      /** Milliseconds since 1970 at which the server is started again. */
      readonly restartAt: number;
    } & FailureReport)
  | ({
      readonly phase: 'failed';
      readonly failure: AppFailure;
      /** What is being done about it. */
      readonly recovery?: RecoveryProgress;
    } & FailureReport)
  | ({ readonly phase: 'moving' } & MoveProgress);

/** Progress of a move of the data folder, in bytes, each counted for the copy and again for its check. `total` is 0 until known. */
export interface MoveProgress {
  readonly from: string;
  readonly to: string;
  readonly done: number;
  readonly total: number;
}

/** What is done about a registry that does not start. */
export type RecoveryTask =
  | { readonly kind: 'backup'; readonly file: string; readonly folder: string }
  | { readonly kind: 'snapshot'; readonly name: string }
  | { readonly kind: 'repair' };

export interface RecoveryProgress {
  readonly task: RecoveryTask;
  /** The current step, in the form "Unpacking the archive"; empty until known. */
  readonly step: string;
  /** Of the step; null while unknown. */
  readonly percent: number | null;
  /** Whether it was cancelled, and ends after the present step. */
  readonly isStopping: boolean;
}

export interface FailureReport {
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
  /** Whether `GATEHOUSE_DATA_DIR` sets the data folder, so that the app cannot move it. */
  readonly dataDirIsFixed: boolean;
  /** Whether `GATEHOUSE_PORT` sets the port, whatever is saved. */
  readonly portIsFixed: boolean;
  /** The address to listen on that `GATEHOUSE_HOST` sets, whatever is saved; null without it. */
  readonly fixedHost: string | null;
  /** The folders that the data was moved from and that still hold it, the last one first. */
  readonly formerDataDirs: readonly string[];
  /** Whether this copy of the app can be started at login. */
  readonly canStartAtLogin: boolean;
}

export type ThemeChoice = 'system' | 'light' | 'dark';

export interface AppSettings {
  readonly theme: ThemeChoice;
  /** TCP port of the registry; 0 lets the system pick one at every start. */
  readonly port: number;
  /** Whether other computers in the network can connect, too. */
  readonly serveOthers: boolean;
  /** Whether the registry keeps running, with an icon in the tray, when the last window closes. */
  readonly keepInTray: boolean;
  /** Whether publishes, pending logins and failures are shown as notifications while no window has the focus. */
  readonly notifications: boolean;
  /** Whether the system starts the app when the person logs in. */
  readonly startAtLogin: boolean;
  /** The largest tarball that a publish may have, in MiB. */
  readonly largestTarball: number;
  /** Whether newer versions are looked for at every start, where the app can update itself. */
  readonly checkUpdatesAtStart: boolean;
}

/** Commands of the application menu that the page carries out. */
export type MenuCommand =
  Destination['command'] | 'back' | 'forward' | 'new' | 'save' | 'undo' | 'find' | 'palette' | 'shortcuts';

declare global {
  interface Window {
    readonly gatehouse: GatehouseBridge;
  }
}
