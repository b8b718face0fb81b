import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { app, BrowserWindow, dialog, type OpenDialogOptions, type SaveDialogOptions } from 'electron';
import type { CallReply, FileRequest } from '../../../server/contract/bridge.ts';
import { failure, messageOf } from './ipc.ts';

/** Where the last file went. */
let lastFolder: string | undefined;

/** Lets the person choose a folder; null if cancelled. */
export function chooseFolder(
  request: FileRequest,
  more: Pick<OpenDialogOptions, 'buttonLabel' | 'defaultPath'> = {},
): Promise<string | null> {
  return open({ ...optionsOf(request), ...more, properties: ['openDirectory', 'createDirectory'] });
}

/** Lets the person choose a file that exists; null if cancelled. */
export function chooseFile(request: FileRequest): Promise<string | null> {
  return open({ ...optionsOf(request), properties: ['openFile'] });
}

/** Asks where to put a file; null if cancelled. The dialog itself asks before a file is replaced. */
export async function chooseNewFile(request: FileRequest): Promise<string | null> {
  const { extensions: _extensions, ...withoutFilters } = request;
  const options: SaveDialogOptions = {
    // With filters, a dialog of Linux may add an ending after it has asked about the name without it.
    ...optionsOf(process.platform === 'linux' ? withoutFilters : request),
    ...(request.suggestedName === undefined ? {} : { defaultPath: inUsualFolder(request.suggestedName) }),
    properties: ['createDirectory', 'showOverwriteConfirmation'],
  };
  const owner = ownerWindow();
  const { canceled, filePath } = await (owner === undefined
    ? dialog.showSaveDialog(options)
    : dialog.showSaveDialog(owner, options));
  if (canceled || filePath === '') return null;
  lastFolder = path.dirname(filePath);
  return filePath;
}

/** Dialogs of Linux remember no folder and begin in the home folder; those of other systems know better. */
function inUsualFolder(name: string): string {
  if (process.platform !== 'linux') return name;
  const [home, downloads] = [app.getPath('home'), app.getPath('downloads')];
  // Where the person's folders are not set up, Chromium names the home folder.
  const usual = downloads === home ? path.join(home, 'Downloads') : downloads;
  const folder = [lastFolder, usual].find((each) => each !== undefined && existsSync(each));
  return folder === undefined ? name : path.join(folder, name);
}

/** Writes `text` where the person chooses. The page never names the path. */
export async function saveText(request: FileRequest, text: string): Promise<CallReply<string | null>> {
  const file = await chooseNewFile(request);
  if (file === null) return { ok: true, value: null };
  try {
    await writeFile(file, text);
    return { ok: true, value: file };
  } catch (error) {
    return failure(`The file could not be written: ${messageOf(error)}`);
  }
}

async function open(options: OpenDialogOptions): Promise<string | null> {
  const owner = ownerWindow();
  const { canceled, filePaths } = await (owner === undefined
    ? dialog.showOpenDialog(options)
    : dialog.showOpenDialog(owner, options));
  return canceled ? null : (filePaths[0] ?? null);
}

/** The window that a dialog belongs to: the one in use, else any. */
function ownerWindow(): BrowserWindow | undefined {
  return BrowserWindow.getFocusedWindow() ?? BrowserWindow.getAllWindows()[0];
}

/** What the dialog calls files of an ending. */
const fileKinds: Readonly<Record<string, string>> = {
  backup: 'Backups',
  gatehouse: 'Bundles',
  jsonl: 'JSON Lines',
  tgz: 'Tarballs',
};

function optionsOf({ title, extensions = [] }: FileRequest): Pick<OpenDialogOptions, 'title' | 'message' | 'filters'> {
  // macOS shows no titles on these dialogs, but a message.
  const words = { title, message: title };
  if (extensions.length === 0) return words;
  return {
    ...words,
    filters: [
      { name: fileKinds[extensions[0] ?? ''] ?? `.${extensions.join(', .')}`, extensions: [...extensions] },
      { name: 'All files', extensions: ['*'] },
    ],
  };
}
