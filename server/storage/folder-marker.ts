import { randomUUID } from 'node:crypto';
import {
  closeSync,
  existsSync,
  fsyncSync,
  lstatSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { dataFolderEntry } from '../contract/constants.ts';
import { explainFileError } from '../lib/file-error.ts';
import { syncFolderNow } from '../lib/durable.ts';
import { StartupError } from '../lib/startup-error.ts';

/** Makes a folder a data folder: its layout, and an id of its own. */
const markerFile = 'gatehouse-folder.json';
/** The layout that this version reads and writes. */
const layout = 1;
const marker = z.object({ format: z.int().min(1), id: z.string().min(1) });

/** What systems put into folders by themselves. */
const ofTheSystem = /^(?:lost\+found|\.DS_Store|Thumbs\.db|desktop\.ini|\.gatehouse-move)$/;

/** What a path is before anything in it is touched. */
export type FolderState = 'absent' | 'empty' | 'registry';

/**
 * Looks at a path without changing anything.
 * @throws StartupError `dataFolderRefused` for a folder with other files, one of another user, one that others can write to and one of a
 * newer layout (`schemaTooNew`); `dataFolderUnwritable` for what is no folder or cannot be read.
 */
export function recogniseFolder(root: string): FolderState {
  let entries: string[];
  try {
    requirePrivateFolder(root);
    entries = readdirSync(root).filter((name) => !ofTheSystem.test(name));
  } catch (error) {
    if (error instanceof StartupError) throw error;
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return 'absent';
    throw unusable(root, error);
  }
  if (entries.length === 0) return 'empty';
  for (const name of entries.filter((entry) => dataFolderEntry.test(entry))) requireOwnEntry(join(root, name));
  if (entries.includes(markerFile)) requireKnownLayout(root);
  else if (!entries.includes('gatehouse.db') && !isOlderStart(entries)) {
    throw new StartupError(
      'dataFolderRefused',
      `${root} is not a data folder of Gatehouse: it holds other files (${entries.slice(0, 3).join(', ')}${entries.length > 3 ? ', …' : ''}). Nothing in it was touched.`,
      { advice: 'Choose an empty or a new folder with --data-dir.' },
    );
  }
  return 'registry';
}

/** Whether only files are here that a first start of a version without markers left: its lock tells it apart from other folders. */
function isOlderStart(entries: readonly string[]): boolean {
  return entries.includes('gatehouse.lock') && entries.every((name) => dataFolderEntry.test(name));
}

/**
 * @throws StartupError `dataFolderRefused` unless this user owns the folder and no other user can write to it; the file system's error if
 * there is none.
 */
export function requirePrivateFolder(root: string): void {
  const { uid, mode } = statSync(root);
  requireOwner(root, uid);
  // Windows has no modes of this kind.
  if (process.platform === 'win32' || (mode & 0o022) === 0) return;
  throw new StartupError(
    'dataFolderRefused',
    `Other users can write to the folder ${root} (mode ${(mode & 0o777).toString(8)}), so nothing in it can be trusted. Check what it holds, then run "chmod go-w" on it.`,
  );
}

/**
 * What was put into the folder while others could write to it stays theirs: a lock, a log of the database or a folder of tarballs that they
 * still write to. A pipe would block whoever reads it.
 */
function requireOwnEntry(path: string): void {
  const facts = lstatSync(path, { throwIfNoEntry: false });
  if (!facts) return;
  requireOwner(path, facts.uid);
  if (!facts.isFIFO() && !facts.isCharacterDevice() && !facts.isBlockDevice()) return;
  throw new StartupError('dataFolderRefused', `${path} is a pipe or a device, where a file is expected. Move it away.`);
}

/** @throws StartupError `dataFolderRefused` if a file or folder belongs to another user. Windows has no owners of this kind. */
export function requireOwner(path: string, uid: number): void {
  const own = process.getuid?.();
  if (own === undefined || uid === own) return;
  throw new StartupError(
    'dataFolderRefused',
    `${path} belongs to the user with the id ${uid}, and Gatehouse runs as ${own}. Run it as that user, or change the owner of the data folder and of everything in it.`,
  );
}

function requireKnownLayout(root: string): void {
  const file = join(root, markerFile);
  let found: z.infer<typeof marker> | undefined;
  try {
    found = marker.safeParse(JSON.parse(readFileSync(file, 'utf8'))).data;
  } catch (error) {
    const text = explainFileError(error, file);
    if (text !== undefined) throw new StartupError('dataFolderUnwritable', text, { cause: error });
  }
  if (!found) {
    throw new StartupError(
      'dataFolderRefused',
      `${file} does not say what kind of folder this is. If gatehouse.db beside it is a registry, move that file away; else choose another folder.`,
    );
  }
  if (found.format <= layout) return;
  throw new StartupError(
    'schemaTooNew',
    `The data folder ${root} was last used by a newer Gatehouse (its layout is ${found.format}, this version knows ${layout}).`,
    { advice: 'Nothing was changed. Update Gatehouse, or use another data folder.' },
  );
}

/** Marks a folder as a registry, unless it is. On disk when this returns. */
export function markFolder(root: string): void {
  const file = join(root, markerFile);
  if (existsSync(file)) return;
  const temporary = `${file}.${randomUUID()}`;
  const descriptor = openSync(temporary, 'wx', 0o600);
  try {
    writeFileSync(descriptor, `${JSON.stringify({ format: layout, id: randomUUID() })}\n`);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
  renameSync(temporary, file);
  syncFolderNow(root);
}

/** The error for a folder, or something in it, that cannot be used as it is. @param file named where the error has no path */
export function unusable(root: string, error: unknown, file = root): StartupError {
  const reason = explainFileError(error, file) ?? (error instanceof Error ? error.message : String(error));
  // A reason that begins with the folder says it all.
  const problem = reason.startsWith(`${root} `) ? reason : `${root} cannot be used. ${reason}`;
  return new StartupError('dataFolderUnwritable', `The data folder ${problem}`, {
    cause: error,
    advice: 'Or choose another folder with --data-dir.',
  });
}
