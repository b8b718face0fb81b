import { createHash } from 'node:crypto';
import { mkdir, open, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { reasonOf } from '../replies.ts';
import type { CheckedOffer } from './feed-file.ts';

/** As the web has it, without what is not used. */
export type Fetch = (url: string, init: { signal: AbortSignal; cache: 'no-store' }) => Promise<Response>;

/** Thrown when a feed or a file could not be had. Both are sentences. */
export class UpdateFailure extends Error {
  readonly remedy: string;

  constructor(cause: string, remedy: string) {
    super(cause);
    this.remedy = remedy;
  }
}

const largestFeed = 1024 * 1024;
const checkAddress = 'Check the address of the feed and the network, then try again.';

/** The text at `url`. @throws UpdateFailure; the signal's reason when it was stopped. */
export async function fetchText(fetch: Fetch, url: URL, signal: AbortSignal): Promise<string> {
  const response = await ask(fetch, url.href, signal);
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of bodyOf(response, url.href, signal)) {
    length += chunk.length;
    if (length > largestFeed)
      throw new UpdateFailure(`What lies at ${url.href} is no feed: it is too large.`, checkAddress);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/**
 * Downloads the file of an offer into `folder`, which holds nothing else afterwards, and resolves to its path once every byte is what the
 * feed says. `tell` hears of the bytes received. @throws UpdateFailure; the signal's reason when it was stopped. Nothing is left then.
 */
export async function fetchFile(
  fetch: Fetch,
  offer: CheckedOffer,
  folder: string,
  { signal, tell }: { signal: AbortSignal; tell: (received: number) => void },
): Promise<string> {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const partial = path.join(folder, 'download.part');
  try {
    const response = await ask(fetch, offer.address, signal);
    const hash = createHash('sha512');
    const file = await open(partial, 'wx', 0o600);
    let received = 0;
    try {
      for await (const chunk of bodyOf(response, offer.address, signal)) {
        received += chunk.length;
        if (offer.size !== null && received > offer.size) throw notAsPromised(offer);
        hash.update(chunk);
        await file.writeFile(chunk);
        tell(received);
      }
      await file.sync();
    } finally {
      await file.close();
    }
    if (hash.digest('base64') !== offer.sha512) throw notAsPromised(offer);
    const kept = path.join(folder, offer.fileName);
    await rename(partial, kept);
    return kept;
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    if (signal.aborted || error instanceof UpdateFailure) throw error;
    throw new UpdateFailure(
      `The download could not be kept: ${reasonOf(error)}`,
      'Make room on the disk, or download it in the browser.',
    );
  }
}

function notAsPromised({ fileName }: CheckedOffer): UpdateFailure {
  return new UpdateFailure(
    `${fileName} is not the file that the feed describes: its SHA-512 or its size is another.`,
    'It was deleted. Try again later; if it stays so, tell whoever runs the feed.',
  );
}

async function ask(fetch: Fetch, url: string, signal: AbortSignal): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(url, { signal, cache: 'no-store' });
  } catch (error) {
    if (signal.aborted) throw error;
    throw new UpdateFailure(`${new URL(url).host} could not be reached (${networkReasonOf(error)}).`, checkAddress);
  }
  if (!response.ok) {
    throw new UpdateFailure(`${url} answered ${`${response.status} ${response.statusText}`.trim()}.`, checkAddress);
  }
  return response;
}

async function* bodyOf(response: Response, url: string, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  if (response.body === null) return;
  try {
    for await (const chunk of response.body) yield chunk as Uint8Array;
  } catch (error) {
    if (signal.aborted) throw error;
    throw new UpdateFailure(`${new URL(url).host} stopped in the middle (${networkReasonOf(error)}).`, 'Try again.');
  }
}

function networkReasonOf(error: unknown): string {
  const message = reasonOf(error instanceof Error && error.cause instanceof Error ? error.cause : error);
  // Chromium's name for what make-updater.ts does not let through.
  return message.includes('ERR_BLOCKED_BY_CLIENT') ? 'it leads to an address that cannot be trusted' : message;
}
