import { GatehouseError } from '../../contract/errors.ts';
import { nextTurn } from '../../lib/turns.ts';
import { DocumentSplitter } from '../../registry/publish/document-splitter.ts';
import type { DocumentLimits } from '../../registry/publish/upload-limits.ts';
import { OutboundError } from '../network/outbound-error.ts';

/** More than the largest packuments have that npm's own registry takes: 100 MB, and some ten thousand versions. */
const foreignLimits: DocumentLimits = {
  size: 128 * 1024 * 1024,
  part: 16 * 1024 * 1024,
  values: 320_000,
  depth: 100,
};
/** Bytes that a document may take in memory once it is parsed. */
const mostHeld = 512 * 1024 * 1024;

/** What was fetched passed the limits of its time. */
const storedLimits: DocumentLimits = { size: Infinity, part: Infinity, values: Infinity, depth: Infinity };

/** Bytes after which a document counts as long: few of them are read at a time. */
const longDocument = 4 * 1024 * 1024;
const bytesPerTurn = 256 * 1024;

/** A JSON document, and the bytes that it takes in memory. */
interface ParsedJson {
  readonly value: unknown;
  readonly held: number;
}

/** With the bytes as they came. */
export interface ForeignJson extends ParsedJson {
  readonly bytes: Buffer;
}

/**
 * Parses what another registry sends while it arrives, version by version: a small answer can unpack to a document that takes minutes and
 * gigabytes in one go. `value` is undefined for what is no whole JSON document, such as a page.
 * @param onLong awaited once, before more than `longDocument` bytes are read
 * @throws OutboundError `invalid` for a document beyond the limits.
 */
export async function readForeignJson(
  chunks: AsyncIterable<Buffer>,
  host: string,
  onLong: () => Promise<void>,
): Promise<ForeignJson> {
  const splitter = new DocumentSplitter(foreignLimits, { keepsManifests: true });
  const read: Buffer[] = [];
  let size = 0;
  let ofTurn = 0;
  let isLong = false;
  let isDocument: boolean | undefined;
  try {
    for await (const chunk of chunks) {
      size += chunk.length;
      ofTurn += chunk.length;
      isDocument ??= isStartOfDocument(chunk);
      if (isDocument === false) {
        if (size > foreignLimits.part) throw unusable(host);
        continue;
      }
      if (!isLong && size > longDocument) {
        isLong = true;
        await onLong();
      }
      read.push(chunk);
      splitter.push(chunk);
      if (splitter.held > mostHeld) throw unusable(host);
      if (ofTurn < bytesPerTurn) continue;
      ofTurn = 0;
      await nextTurn();
    }
    return { value: isDocument ? wholeOf(splitter) : undefined, held: splitter.held, bytes: Buffer.concat(read) };
  } catch (error) {
    throw error instanceof GatehouseError ? unusable(host) : error;
  }
}

/** As `readForeignJson`, of a document that is here: it is never refused. */
export async function parseStoredJson(bytes: Buffer): Promise<ParsedJson> {
  const splitter = new DocumentSplitter(storedLimits, { keepsManifests: true });
  for (let at = 0; at < bytes.length; at += bytesPerTurn) {
    if (at > 0) await nextTurn();
    splitter.push(bytes.subarray(at, at + bytesPerTurn));
  }
  return { value: splitter.end(), held: splitter.held };
}

/** The document, or undefined if it was cut. */
function wholeOf(splitter: DocumentSplitter): unknown {
  try {
    return splitter.end();
  } catch {
    return undefined;
  }
}

/** Undefined for white space, which says nothing yet. */
function isStartOfDocument(chunk: Buffer): boolean | undefined {
  const first = chunk.find((byte) => byte > 0x20);
  return first === undefined ? undefined : first === 0x7b || first === 0x5b;
}

function unusable(host: string): OutboundError {
  return new OutboundError('invalid', `${host} sends a document that is broken, or larger than one can be here`);
}
