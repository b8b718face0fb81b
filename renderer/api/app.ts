import { useSyncExternalStore } from 'react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { AppSettings, AppState, FileRequest, MenuCommand } from '../../server/contract/bridge.ts';
import { unwrap } from './call.ts';

let current: AppState = { phase: 'starting' };
const listeners = new Set<() => void>();

function setState(state: AppState): void {
  current = state;
  for (const listener of listeners) listener();
}

/** Starts listening to the state of the hosted server, and resolves to what it is now. Called once, before the first render. */
export async function connectAppState(): Promise<AppState> {
  let heard = false;
  window.gatehouse.app.onState((state) => {
    heard = true;
    setState(state);
  });
  const first = await window.gatehouse.app.state();
  // A state pushed while the first one was under way is newer.
  if (!heard) setState(first);
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

/** Under which the settings of the app are kept. */
export const settingsKey = ['app', 'settings'] as const;

/** What the app was told to do. */
export function useSettings() {
  return useQuery({ queryKey: settingsKey, queryFn: () => window.gatehouse.app.settings() });
}

/** Saves some of the settings; the rest stay as they are. `handlesErrors` is for those who show beside the field what went wrong. */
export function useSaveSettings({ handlesErrors = false } = {}) {
  return useMutation({
    meta: { handlesErrors },
    mutationFn: async (change: Partial<AppSettings>) => unwrap(await window.gatehouse.app.saveSettings(change)),
  });
}

/** Versions of the app and what it runs on. */
export function useAppInfo() {
  return useQuery({ queryKey: infoKey, queryFn: () => window.gatehouse.app.info() });
}

const infoKey = ['app', 'info'] as const;

/** Moves the data folder, or goes on with another one; the person is asked where. What was done is told by the state of the app. */
export function useDataFolderAction(action: 'move' | 'open' | 'removeFormer') {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async () => {
      const { moveDataFolder, openDataFolder, removeFormerDataFolder } = window.gatehouse.app;
      const act = { move: moveDataFolder, open: openDataFolder, removeFormer: removeFormerDataFolder }[action];
      return unwrap(await act());
    },
    // The one query that no event refetches: removing the former folder changes nothing else.
    onSettled: () => client.invalidateQueries({ queryKey: infoKey }),
  });
}

/** Stops a move of the data folder. */
export function stopMove(): Promise<void> {
  return window.gatehouse.app.stopMove();
}

/** The last lines that the server wrote; `refetch` reads them anew. */
export function useServerLog() {
  return useQuery({ queryKey: ['app', 'log'], queryFn: () => window.gatehouse.app.log(), staleTime: 0 });
}

/** Starts the server again. */
export function retryServer(): Promise<void> {
  return window.gatehouse.app.retry();
}

/** Opens a web link in the person's own browser. */
export function openExternal(url: string): Promise<boolean> {
  return window.gatehouse.app.openExternal(url);
}

/** Shows the data folder in the file manager. */
export function showDataFolder(): Promise<void> {
  return window.gatehouse.app.showDataFolder();
}

/** Puts text on the clipboard. */
export function copyText(text: string): Promise<void> {
  return window.gatehouse.app.copyText(text);
}

/** Lets the person choose a folder; null if they think better of it. */
export function chooseFolder(request: FileRequest): Promise<string | null> {
  return window.gatehouse.app.chooseFolder(request);
}

/** Lets the person choose a file that exists; null if they think better of it. */
export function chooseFile(request: FileRequest): Promise<string | null> {
  return window.gatehouse.app.chooseFile(request);
}

/** Asks where to put a file that the server is to write; null if the person thinks better of it. */
export function chooseNewFile(request: FileRequest): Promise<string | null> {
  return window.gatehouse.app.chooseNewFile(request);
}

/** Asks where to put text and writes it there; resolves to the path or null. Throws CallFailed if it cannot be written. */
export async function saveText(request: FileRequest, text: string): Promise<string | null> {
  return unwrap(await window.gatehouse.app.saveText(request, text));
}

/** Hears of commands chosen in the application menu. */
export function onMenuCommand(listener: (command: MenuCommand) => void): () => void {
  return window.gatehouse.app.onCommand(listener);
}
