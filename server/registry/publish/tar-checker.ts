import { GatehouseError } from '../../contract/errors.ts';
import { shorten } from '../../lib/printable.ts';
import { requireHeaderSize } from './open-archive.ts';

const block = 512;
const zeros = Buffer.alloc(64 * 1024);

/** An octal number as every reader takes it: spaces, digits, then nothing but NUL and space. */
const octal = /^ *[0-7]*[\0 ]*$/;

/** Offset and length of the numbers of a header beside size and checksum: mode, uid, gid, mtime, device. */
const numbers = [
  [100, 8],
  [108, 8],
  [116, 8],
  [136, 12],
  [329, 8],
  [337, 8],
] as const;

/** Access and change time behind a short prefix, which npm reads. */
const times = [
  [476, 12],
  [488, 12],
] as const;

/** Records of a pax header that give an entry other bytes or another kind in some readers only. */
const unevenRecord = /^(?:GNU\.sparse\.|SCHILY\.(?:realsize|filetype)$)/;

/** What a long header says of the next entry. */
interface Extension {
  readonly path: string | undefined;
  readonly size: string | undefined;
}

/** What is neither a file nor a folder, by the type in its header. */
const specials: Readonly<Record<string, string>> = {
  '1': 'link',
  '2': 'symlink',
  '3': 'character-device',
  '4': 'block-device',
  '6': 'fifo',
  '7': 'contiguous-file',
};

/** An entry as every unpacker finds it. */
export interface TarEntry {
  readonly path: string;
  /** `file`, `directory`, or what else it is. */
  readonly type: string;
  /** Bytes of its content. */
  readonly size: number;
}

/** Takes the content of one entry. */
export interface EntryContent {
  take(bytes: Buffer): void;
  /** Called once, when all of it was taken. */
  end(): void;
}

/**
 * Reads a tar, and refuses one that two unpackers can read differently, so that what is found here is what every installer finds. It takes
 * the unpacked bytes in any pieces.
 */
export class TarChecker {
  readonly #begin: (entry: TarEntry) => EntryContent | undefined;
  #rest: Buffer | undefined;
  #content: EntryContent | undefined;
  /** Bytes of the current content that are still to come. */
  #left = 0;
  /** The same with their padding. */
  #skip = 0;
  #long: { readonly type: string; readonly size: number } | undefined;
  #extension: Extension | undefined;
  #hasEnded = false;

  /** @param begin is called for each entry; answers what takes its content, if anything does */
  constructor(begin: (entry: TarEntry) => EntryContent | undefined) {
    this.#begin = begin;
  }

  /** @throws GatehouseError `invalid_request` that says what is ambiguous; another error for what is no tar; what `begin` throws. */
  check(chunk: Buffer): void {
    let bytes = this.#rest ? Buffer.concat([this.#rest, chunk]) : chunk;
    this.#rest = undefined;
    while (bytes.length > 0) {
      if (this.#hasEnded) {
        if (!isZero(bytes)) throw ambiguous('goes on after its end');
        return;
      }
      if (this.#skip > 0) {
        bytes = this.#readContent(bytes);
        continue;
      }
      const needed = this.#long ? padded(this.#long.size) : block;
      if (bytes.length < needed) {
        // Copied, as a piece of what was unpacked would hold all of that in memory.
        this.#rest = Buffer.from(bytes);
        return;
      }
      const piece = bytes.subarray(0, needed);
      if (this.#long) this.#readLongHeader(piece);
      else this.#readHeader(piece);
      bytes = bytes.subarray(needed);
    }
  }

  /** @throws Error for a tar that is cut short. */
  end(): void {
    if (this.#rest || this.#skip > 0 || this.#long) throw new Error('unexpected end of data');
  }

  /** Reads on in an entry's content and padding; returns what is behind. */
  #readContent(bytes: Buffer): Buffer {
    const content = bytes.subarray(0, this.#left);
    const skipped = Math.min(this.#skip, bytes.length);
    this.#skip -= skipped;
    if (this.#left > 0) {
      this.#left -= content.length;
      this.#content?.take(content);
      if (this.#left === 0) this.#content?.end();
    }
    return bytes.subarray(skipped);
  }

  #readHeader(header: Buffer): void {
    if (isZero(header)) {
      if (this.#extension) throw ambiguous('ends after a long header');
      this.#hasEnded = true;
      return;
    }
    if (latin1(header, 257, 5) !== 'ustar' || !hasChecksum(header)) throw new Error('it has no tar header');
    const name = nameOf(header);
    const label = `"${shorten(name)}"`;
    if (!isEvenHeader(header)) throw ambiguous(`has a malformed header at ${label}`);
    const type = header[156] === 0 ? '0' : String.fromCharCode(header[156] ?? 0);
    const size = Number.parseInt(latin1(header, 124, 12).replaceAll('\0', ' ').trim() || '0', 8);
    if (type === 'K' || type === 'N') throw ambiguous(`has a header that some readers leave out, at ${label}`);
    if (type === 'x' || type === 'g' || type === 'L') {
      if (this.#extension) throw ambiguous(`gives an entry two long headers, at ${label}`);
      requireHeaderSize(size);
      if (size === 0) throw ambiguous(`has an empty long header at ${label}`);
      this.#long = { type, size };
      return;
    }
    const extension = this.#extension;
    this.#extension = undefined;
    if (header[157] !== 0 && (type === '0' || type === '5')) throw ambiguous(`has a file with a link target, ${label}`);
    if (extension?.size !== undefined && Number(extension.size) !== size)
      throw ambiguous(`states two sizes for ${label}`);
    const path = extension?.path ?? name;
    if (type === '0' && path.endsWith('/') !== name.endsWith('/'))
      throw ambiguous(`has an entry that is a file and a folder, ${label}`);
    if ((type === '5' || path.endsWith('/')) && size !== 0) throw ambiguous(`has a folder with content, ${label}`);
    const isFolder = type === '5' || (type === '0' && path.endsWith('/'));
    const kind = isFolder ? 'directory' : type === '0' ? 'file' : (specials[type] ?? 'special entry');
    this.#content = this.#begin({ path, type: kind, size });
    this.#left = size;
    this.#skip = padded(size);
    if (size === 0) this.#content?.end();
  }

  #readLongHeader(piece: Buffer): void {
    const { type, size } = this.#long ?? { type: '', size: 0 };
    this.#long = undefined;
    const bytes = piece.subarray(0, size);
    if (type === 'L') {
      this.#extension = { path: terminated(bytes), size: undefined };
      if (this.#extension.path === undefined) throw ambiguous('has a malformed long name');
      return;
    }
    const records = readPax(bytes);
    if (!records) throw ambiguous('has a malformed pax header');
    const path = records.get('path');
    const pathSize = records.get('size');
    if (type === 'g') {
      if (path !== undefined || pathSize !== undefined) throw ambiguous('names one path or size for all its entries');
      return;
    }
    this.#extension = { path, size: pathSize };
  }
}

/** Whether the checksum of a header fits: the sum of its bytes, with spaces in the place of the checksum itself. */
function hasChecksum(header: Buffer): boolean {
  let sum = 8 * 0x20;
  for (let at = 0; at < block; at += 1) if (at < 148 || at >= 156) sum += header[at] ?? 0;
  return Number.parseInt(latin1(header, 148, 8), 8) === sum;
}

/** Whether texts and numbers of a header mean the same to every reader. */
function isEvenHeader(header: Buffer): boolean {
  const magic = latin1(header, 257, 8);
  // Only a POSIX header has a prefix for all; what old GNU ones have there is read as one by some.
  const isEvenMagic =
    magic === 'ustar\x0000' || (/^ustar(?:\0| {2}\0)/.test(magic) && isZero(header.subarray(345, 500)));
  return (
    isEvenMagic &&
    terminated(header.subarray(0, 100)) !== undefined &&
    terminated(header.subarray(345, header[475] === 0 ? 475 : 500)) !== undefined &&
    octal.test(latin1(header, 124, 12)) &&
    // npm reads on behind a checksum that has no end.
    /^ *[0-7]+[\0 ]+$/.test(latin1(header, 148, 8)) &&
    numbers.every(([offset, length]) => isEvenNumber(header.subarray(offset, offset + length))) &&
    (header[475] !== 0 || times.every(([offset, length]) => isEvenNumber(header.subarray(offset, offset + length))))
  );
}

/** Octal, or in base 256 so that it is a whole number in every reader. */
function isEvenNumber(field: Buffer): boolean {
  const first = field[0] ?? 0;
  if ((first & 0x80) === 0) return octal.test(field.toString('latin1'));
  const isNegative = first === 0xff;
  const fill = isNegative ? 0xff : 0;
  return (first === 0x80 || isNegative) && field.subarray(1, -6).every((byte) => byte === fill);
}

/** The path in a header itself. */
function nameOf(header: Buffer): string {
  const prefix = latin1(header, 257, 8) === 'ustar\x0000' ? upToNul(header.subarray(345, 500)) : '';
  const name = upToNul(header.subarray(0, 100));
  return prefix === '' ? name : `${prefix}/${name}`;
}

function upToNul(field: Buffer): string {
  const end = field.indexOf(0);
  return field.toString('utf8', 0, end === -1 ? field.length : end);
}

/** A text up to its NUL; undefined if anything follows, which some readers take for part of it. */
function terminated(field: Buffer): string | undefined {
  const end = field.indexOf(0);
  if (end === -1) return field.toString('utf8');
  return isZero(field.subarray(end)) ? field.toString('utf8', 0, end) : undefined;
}

/** The records of a pax header that decide about entries; undefined if readers differ on them. */
function readPax(bytes: Buffer): ReadonlyMap<string, string> | undefined {
  const records = new Map<string, string>();
  for (let at = 0; at < bytes.length;) {
    const space = bytes.indexOf(0x20, at);
    const digits = space === -1 ? '' : latin1(bytes, at, space - at);
    const length = /^[1-9]\d{0,5}$/.test(digits) ? Number(digits) : 0;
    const end = at + length;
    if (length === 0 || end > bytes.length || bytes[end - 1] !== 0x0a) return undefined;
    const record = bytes.toString('utf8', space + 1, end - 1);
    const equals = record.indexOf('=');
    const key = record.slice(0, equals);
    if (equals < 1 || unevenRecord.test(key)) return undefined;
    if (key === 'path' || key === 'size' || key === 'linkpath') {
      const value = record.slice(equals + 1);
      if (records.has(key) || key === 'linkpath' || /^$|[\0\n]/.test(value)) return undefined;
      if (key === 'size' && !/^\d{1,15}$/.test(value)) return undefined;
      records.set(key, value);
    }
    // A line that begins like a record is one for readers that go by lines.
    if (/\n\d+ \w+=/.test(record)) return undefined;
    at = end;
  }
  return records;
}

function isZero(bytes: Buffer): boolean {
  for (let at = 0; at < bytes.length; at += zeros.length) {
    const piece = bytes.subarray(at, at + zeros.length);
    if (!piece.equals(zeros.subarray(0, piece.length))) return false;
  }
  return true;
}

function latin1(bytes: Buffer, offset: number, length: number): string {
  return bytes.toString('latin1', offset, offset + length);
}

function padded(size: number): number {
  return Math.ceil(size / block) * block;
}

function ambiguous(what: string): GatehouseError {
  return new GatehouseError(
    'invalid_request',
    `The tarball ${what}, so that package managers would unpack different files. Pack it with "npm pack".`,
  );
}
