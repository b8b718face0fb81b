import { useSyncExternalStore } from 'react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type {
  AppSettings,
  AppState,
  CallReply,
  FileRequest,
  MenuCommand,
  TarballPlace,
  VersionSubject,
} from '../../server/contract/bridge.ts';
import { unwrap, visible } from './call.ts';

let current: AppState = { phase: 'starting' };
const listeners = new Set<() => void>();

function setState(state: AppState): void {
  current = visible(state);
  for (const listener of listeners) listener();
}

/**
 * Starts listening to the state of the hosted server and resolves to the present one. Called once, before the first render.
 * @param asked the reply to a request that was sent just before
 */
export async function connectAppState(asked: Promise<AppState>): Promise<AppState> {
  let isPushed = false;
  window.gatehouse.app.onState((state) => {
    isPushed = true;
    setState(state);
  });
  const first = await asked;
  // A state pushed in the meantime is newer.
  if (!isPushed) setState(first);
  return current;
}

/** The state of the hosted server, live. */
export function useAppState(): AppState {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => current,
  );
}

export const settingsKey = ['app', 'settings'] as const;

/** The settings of the app. */
export function useSettings() {
  return useQuery({ queryKey: settingsKey, queryFn: () => window.gatehouse.app.settings() });
}

/** Saves some of the settings. With `handlesErrors` the caller shows what went wrong; otherwise a notification does. */
export function useSaveSettings({ handlesErrors = false } = {}) {
  return useMutation({
    meta: { handlesErrors },
    mutationFn: async (change: Partial<AppSettings>) => unwrap(await window.gatehouse.app.saveSettings(change)),
  });
}

/** Versions of the app, its platform and its data folder. */
export function useAppInfo() {
  return useQuery({ queryKey: infoKey, queryFn: () => window.gatehouse.app.info() });
}

const infoKey = ['app', 'info'] as const;

/** Data folders before and after a change of it; the same where only its contents changed. */
export interface FolderChange {
  from: string;
  to: string;
}

/** Does something about the data folder that may be cancelled in a dialog; resolves to null then. Throws CallFailed. */
export async function changeDataFolder(change: () => Promise<CallReply<boolean>>): Promise<FolderChange | null> {
  const { info } = window.gatehouse.app;
  const { dataDir: from } = await info();
  return unwrap(await change()) ? { from, to: (await info()).dataDir } : null;
}

/**
 * Moves the data folder or opens another one, both after a dialog of the system.
 * @param onChanged called even if the screen was replaced meanwhile
 * @param options.handlesErrors the caller shows what went wrong; otherwise a notification does
 */
export function useDataFolderAction(
  action: 'move' | 'open',
  onChanged: (change: FolderChange) => void,
  { handlesErrors = false } = {},
) {
  const client = useQueryClient();
  const { moveDataFolder, openDataFolder } = window.gatehouse.app;
  return useMutation({
    meta: { handlesErrors },
    mutationFn: () => changeDataFolder(action === 'move' ? moveDataFolder : openDataFolder),
    onSuccess: (change) => change !== null && onChanged(change),
    onSettled: () => client.invalidateQueries({ queryKey: infoKey }),
  });
}

/** Deletes a previous data folder. */
export function useRemoveFormerDataFolder() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (folder: string) => unwrap(await window.gatehouse.app.removeFormerDataFolder(folder)),
    // No event says that it was deleted.
    onSettled: () => client.invalidateQueries({ queryKey: infoKey }),
  });
}

/** The last lines of the server's log, read on demand. */
export function useServerLog() {
  return useQuery({
    queryKey: ['app', 'log'],
    queryFn: async () => visible(await window.gatehouse.app.log()),
    staleTime: 0,
  });
}

/** Asks where to save text and writes it there; resolves to the path, or null if cancelled. Throws CallFailed if it cannot be written. */
export async function saveText(request: FileRequest, text: string): Promise<string | null> {
  return unwrap(await window.gatehouse.app.saveText(request, text));
}

/** Saves the tarball of a version where the person chooses; resolves to the path, or null if cancelled. Throws CallFailed. */
export const downloadTarball = async (subject: VersionSubject) =>
  unwrap(await window.gatehouse.app.downloadTarball(subject));

/** Shows that file in the file manager. Throws CallFailed. */
export const showTarball = async ({ which, ...subject }: VersionSubject & { which: TarballPlace }) =>
  unwrap(await window.gatehouse.app.showTarball(subject, which));

/** Shows a backup that is listed in the file manager. Throws CallFailed. */
export const showBackup = async (archive: string) => unwrap(await window.gatehouse.app.showBackup(archive));

/** Shows the folder of scheduled backups in the file manager. Throws CallFailed. */
export const showBackupFolder = async () => unwrap(await window.gatehouse.app.showBackupFolder());

/** Starts the server again. */
export const retryServer = () => window.gatehouse.app.retry();

/** Stops the server and starts it again. */
export const restartServer = () => window.gatehouse.app.restart();

/** Stops a move of the data folder. */
export const stopMove = () => window.gatehouse.app.stopMove();

/** Stops what was started from the screen of a failure, where it can be stopped. */
export const stopRecovery = () => window.gatehouse.app.stopRecovery();

/** Opens a web link in the system's browser. */
export const openExternal = (url: string) => window.gatehouse.app.openExternal(url);

/** Shows the data folder in the file manager, or says why it cannot be shown. */
export function useShowDataFolder() {
  return useMutation({ mutationFn: async () => unwrap(await window.gatehouse.app.showDataFolder()) });
}

/** Puts text on the clipboard. */
export const copyText = (text: string) => window.gatehouse.app.copyText(text);

/** Opens the system's dialog for a folder; null if cancelled. */
export const chooseFolder = (request: FileRequest) => window.gatehouse.app.chooseFolder(request);

/** Opens the system's dialog for an existing file; null if cancelled. */
export const chooseFile = (request: FileRequest) => window.gatehouse.app.chooseFile(request);

/** Opens the system's dialog for a file that the server will write; null if cancelled. */
export const chooseNewFile = (request: FileRequest) => window.gatehouse.app.chooseNewFile(request);

/** Shows a file that was written where `chooseNewFile` said in the file manager. Throws CallFailed. */
export const showNewFile = async (file: string) => unwrap(await window.gatehouse.app.showNewFile(file));

/** Listens to commands of the application menu; returns the function that stops it. */
export const onMenuCommand = (listener: (command: MenuCommand) => void) => window.gatehouse.app.onCommand(listener);
