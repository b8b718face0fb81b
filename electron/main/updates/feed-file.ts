import semver from 'semver';
import { parse } from 'yaml';
import { z } from 'zod';
import type { UpdateOffer } from '../../../server/contract/updates.ts';
import { isSafe } from './feed-address.ts';

/** The system that a file is looked for. */
export interface Target {
  readonly platform: NodeJS.Platform;
  readonly arch: string;
}

/** An offer together with what its bytes must be. */
export interface CheckedOffer extends UpdateOffer {
  /** SHA-512, in base64. */
  readonly sha512: string;
}

/** Thrown when what lies at the feed's address is no feed, or one that is not for this system. The message is a sentence. */
export class FeedFileError extends Error {}

const sha512 = z.string().regex(/^[A-Za-z0-9+/]{86}==$/, 'is no SHA-512 in base64');

/** What electron-builder writes beside the files that it publishes, as far as it is used here. */
const feedFile = z.object({
  version: z.string().refine((text) => semver.valid(text) !== null, 'is no version'),
  files: z
    .array(z.object({ url: z.string().min(1), sha512, size: z.int().positive().optional() }))
    .min(1)
    .max(100),
  releaseDate: z.string().nullish(),
  releaseNotes: z.union([z.string(), z.array(z.object({ version: z.string(), note: z.string().nullish() }))]).nullish(),
});

/** What a person can use, best first. The one that Gatehouse can install by itself comes first on Linux. */
const endings: Readonly<Partial<Record<NodeJS.Platform, readonly string[]>>> = {
  linux: ['.AppImage', '.deb', '.rpm', '.tar.gz', '.tar.xz', '.zip'],
  darwin: ['.dmg', '.zip', '.pkg'],
  win32: ['.exe', '.msi', '.zip'],
};

/** The feed's file for a system, by the names that electron-builder gives them. */
export function feedFileName({ platform, arch }: Target): string {
  if (platform === 'darwin') return 'latest-mac.yml';
  if (platform === 'win32') return 'latest.yml';
  return arch === 'x64' ? 'latest-linux.yml' : `latest-linux-${arch}.yml`;
}

/**
 * Reads a feed's file: the offer for this system if it is newer than `current`, else null.
 *
 * @throws FeedFileError
 */
export function readFeed(text: string, from: URL, target: Target, current: string): CheckedOffer | null {
  const { version, files, releaseDate, releaseNotes } = parseFeed(text);
  if (!semver.gt(version, current)) return null;
  const file = fileFor(files, target);
  if (file === undefined) throw new FeedFileError(`Version ${version} is there, but not for this system.`);
  const address = URL.parse(file.url, from.href);
  if (address === null || !isSafe(address) || (from.protocol === 'https:' && address.protocol !== 'https:')) {
    throw new FeedFileError(`The feed offers version ${version} at an address that cannot be trusted.`);
  }
  return {
    version,
    releasedAt: releaseDate ?? null,
    notes: notesOf(releaseNotes),
    fileName: fileNameOf(address),
    size: file.size ?? null,
    address: address.href,
    sha512: file.sha512,
  };
}

function parseFeed(text: string): z.infer<typeof feedFile> {
  let document: unknown;
  try {
    document = parse(text);
  } catch {
    throw new FeedFileError('What lies there is no feed: it is not YAML.');
  }
  const parsed = feedFile.safeParse(document);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const where = issue === undefined || issue.path.length === 0 ? 'it' : issue.path.join('.');
  throw new FeedFileError(
    `What lies there is no feed of versions: ${where} ${issue?.message ?? 'is not as expected'}.`,
  );
}

function fileFor<F extends { url: string }>(files: readonly F[], { platform, arch }: Target): F | undefined {
  for (const ending of endings[platform] ?? []) {
    const fitting = files.filter(({ url }) => url.toLowerCase().endsWith(ending.toLowerCase()));
    const found =
      fitting.find(({ url }) => archOf(url) === arch) ??
      fitting.find(({ url }) => archOf(url) === 'universal') ??
      fitting.find(({ url }) => archOf(url) === null);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The processor that a file's name tells of; null if it tells of none. */
function archOf(url: string): string | null {
  const name = url.toLowerCase();
  if (/arm64|aarch64/.test(name)) return 'arm64';
  if (/x64|x86_64|amd64/.test(name)) return 'x64';
  if (/armv7l|armhf/.test(name)) return 'arm';
  if (/ia32|i386|x86/.test(name)) return 'ia32';
  return name.includes('universal') ? 'universal' : null;
}

function notesOf(notes: z.infer<typeof feedFile>['releaseNotes']): string | null {
  if (notes === null || notes === undefined) return null;
  const text =
    typeof notes === 'string' ? notes : notes.map(({ version, note }) => `${version}\n${note ?? ''}`).join('\n\n');
  return text.trim() === '' ? null : text.trim();
}

/** A name to keep the file under: the last part of its address, of which nothing can lead to another folder. */
function fileNameOf(address: URL): string {
  const last = address.pathname.split('/').at(-1) ?? '';
  let name = last;
  try {
    name = decodeURIComponent(last);
  } catch {
    // As it stands, then.
  }
  const kept = name
    .replaceAll(/[^\w.+@ -]/g, '_')
    .replace(/^\.+/, '')
    .slice(0, 120);
  return kept === '' ? 'gatehouse-update' : kept;
}
