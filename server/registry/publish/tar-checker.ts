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

/**
 * Refuses a tar that two unpackers can read differently, so that what is checked here is what every installer finds. It takes the
 * unpacked bytes in any pieces, in front of the reader that takes the entries out.
 */
export class TarChecker {
  #rest: Buffer | undefined;
  /** Bytes of the current body that are still to come, with their padding. */
  #skip = 0;
  #long: { readonly type: string; readonly size: number } | undefined;
  #extension: Extension | undefined;
  #hasEnded = false;

  /** @throws GatehouseError `invalid_request` that says what is ambiguous. */
  check(chunk: Buffer): void {
    let bytes = this.#rest ? Buffer.concat([this.#rest, chunk]) : chunk;
    this.#rest = undefined;
    while (bytes.length > 0) {
      if (this.#hasEnded) {
        if (!isZero(bytes)) throw ambiguous('goes on after its end');
        return;
      }
      if (this.#skip > 0) {
        const skipped = Math.min(this.#skip, bytes.length);
        this.#skip -= skipped;
        bytes = bytes.subarray(skipped);
        continue;
      }
      const needed = this.#long ? padded(this.#long.size) : block;
      if (bytes.length < needed) {
        // Copied, as the reader behind this one reuses what it is given.
        this.#rest = Buffer.from(bytes);
        return;
      }
      const piece = bytes.subarray(0, needed);
      if (this.#long) this.#readLongHeader(piece);
      else this.#readHeader(piece);
      bytes = bytes.subarray(needed);
    }
  }

  #readHeader(header: Buffer): void {
    if (isZero(header)) {
      if (this.#extension) throw ambiguous('ends after a long header');
      this.#hasEnded = true;
      return;
    }
    if (latin1(header, 257, 5) !== 'ustar') throw new Error('it has no tar header');
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
    this.#skip = padded(size);
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

/** Whether texts and numbers of a header mean the same to every reader. The checksum is compared by the reader behind. */
function isEvenHeader(header: Buffer): boolean {
  const magic = latin1(header, 257, 8);
  // Only a POSIX header has a prefix for all; what old GNU ones have there is read as one by some.
  const isEvenMagic = magic === 'ustar\x0000' || (/^ustar[\0 ]/.test(magic) && isZero(header.subarray(345, 500)));
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
  const prefix = latin1(header, 257, 8) === 'ustar\x0000' ? (terminated(header.subarray(345, 500)) ?? '') : '';
  const name = terminated(header.subarray(0, 100)) ?? header.toString('utf8', 0, 100);
  return prefix === '' ? name : `${prefix}/${name}`;
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
