import { constants } from 'node:fs';
import { chmod, mkdir, open, readdir, rename, rm, stat, statfs, type FileHandle } from 'node:fs/promises';
import path from 'node:path';

export interface CopyOptions {
  readonly from: string;
  readonly to: string;
  /** Bytes copied plus bytes verified, of twice the total size. */
  readonly onProgress: (done: number, total: number) => void;
  readonly signal: AbortSignal;
}

/** Made by the server at every start, or only while it runs. */
const notCopied: ReadonlySet<string> = new Set([
  'gatehouse-temporary',
  'tmp',
  'gatehouse.lock',
  'gatehouse.turn',
  'server.json',
]);
const chunkSize = 1024 * 1024;

/**
 * Copies a data folder that no server uses: each file is written under a temporary name, synced, read back, compared and renamed. A file
 * with the same bytes at the target is not copied again: an interrupted copy continues. Throws an Error with a sentence for the person, the
 * file system's error, or the signal's reason.
 */
export async function copyFolder({ from, to, onProgress, signal }: CopyOptions): Promise<void> {
  const files = await listFiles(from, '');
  const size = files.reduce((sum, file) => sum + file.size, 0);
  await mkdir(to, { recursive: true, mode: 0o700 });
  await checkSpace(to, size);
  let done = 0;
  const advance = (bytes: number): void => onProgress((done += bytes), size * 2);
  advance(0);
  for (const file of files) {
    signal.throwIfAborted();
    await copyFile(path.join(from, file.name), path.join(to, file.name), file, advance, signal);
  }
}

interface FoundFile {
  /** Relative to the folder. */
  readonly name: string;
  readonly size: number;
  readonly mode: number;
}

async function listFiles(root: string, folder: string): Promise<FoundFile[]> {
  const found: FoundFile[] = [];
  for (const entry of await readdir(path.join(root, folder), { withFileTypes: true })) {
    if (folder === '' && notCopied.has(entry.name)) continue;
    const name = path.join(folder, entry.name);
    if (entry.isDirectory()) found.push(...(await listFiles(root, name)));
    else if (entry.isFile()) {
      const { size, mode } = await stat(path.join(root, name));
      found.push({ name, size, mode: mode & 0o777 });
    } else if (!entry.isSocket() && !entry.isFIFO()) {
      throw new Error(`${path.join(root, name)} is neither a file nor a folder. Remove it from the data folder first.`);
    }
  }
  return found;
}

async function checkSpace(folder: string, size: number): Promise<void> {
  const { bavail, bsize } = await statfs(folder);
  if (bavail * bsize >= size) return;
  const missing = Math.ceil((size - bavail * bsize) / 1024 / 1024);
  throw new Error(
    `The disk of ${folder} has too little space: ${missing} MiB more are needed. Make room there, or choose a folder on another disk.`,
  );
}

async function copyFile(
  source: string,
  target: string,
  { size, mode }: FoundFile,
  advance: (bytes: number) => void,
  signal: AbortSignal,
): Promise<void> {
  await mkdir(path.dirname(target), { recursive: true, mode: 0o700 });
  const present = await stat(target).catch(() => null);
  if (present !== null && present.size === size) {
    const [wanted, got] = [await digest(source, advance, signal), await digest(target, advance, signal)];
    if (wanted === got) return;
    advance(-2 * size);
  }
  const temporary = `${target}.moving`;
  const wanted = await copyBytes(source, temporary, advance, signal);
  const got = await digest(temporary, advance, signal);
  if (wanted !== got) {
    await rm(temporary, { force: true });
    throw new Error(
      `${target} could not be read back as it was written. The disk may be damaged; choose a folder on another one.`,
    );
  }
  await chmod(temporary, mode);
  await rename(temporary, target);
  await syncFolder(path.dirname(target));
}

async function copyBytes(
  source: string,
  target: string,
  advance: (bytes: number) => void,
  signal: AbortSignal,
): Promise<string> {
  const output = await open(target, constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC, 0o600);
  try {
    const copied = await digest(source, advance, signal, output);
    await output.sync();
    return copied;
  } finally {
    await output.close();
  }
}

/** The SHA-256 of a file, which is also written to `output` if there is one. */
async function digest(
  file: string,
  advance: (bytes: number) => void,
  signal: AbortSignal,
  output?: FileHandle,
): Promise<string> {
  // Imported above, it would be loaded before the first window.
  const { createHash } = await import('node:crypto');
  const hash = createHash('sha256');
  const input = await open(file, 'r');
  try {
    for await (const chunk of chunksOf(input, signal)) {
      hash.update(chunk);
      await output?.writeFile(chunk);
      advance(chunk.length);
    }
  } finally {
    await input.close();
  }
  return hash.digest('hex');
}

async function* chunksOf(input: FileHandle, signal: AbortSignal): AsyncGenerator<Buffer> {
  const buffer = Buffer.allocUnsafe(chunkSize);
  for (;;) {
    signal.throwIfAborted();
    const { bytesRead } = await input.read(buffer, 0, chunkSize, null);
    if (bytesRead === 0) return;
    yield buffer.subarray(0, bytesRead);
  }
}

/** A rename is durable only once its folder is synced. Windows has no such call. */
async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
