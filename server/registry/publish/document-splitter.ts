import { GatehouseError } from '../../contract/errors.ts';
import { shorten } from '../../lib/printable.ts';

/** A piece of one attachment's `data`, unescaped but still base64 (or plain text for a bundle). */
export interface DataPiece {
  readonly attachment: string;
  readonly bytes: Buffer;
  /** Whether the string ends with this piece. */
  readonly last: boolean;
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

const quote = 0x22;
const backslash = 0x5c;
const maximumDepth = 100;
const maximumKeyLength = 1024;

/**
 * Splits a publish document while it arrives. The strings at `$._attachments.<file>.data`, which make up nearly all of it, are handed
 * out piece by piece; everything else is collected (up to a limit) and parsed at the end. Memory is bounded by that limit, whatever
 * the size of the upload.
 */
export class DocumentSplitter {
  readonly #limit: number;
  readonly #envelope: Buffer[] = [];
  #envelopeSize = 0;
  #depth = 0;
  /** Keys of the objects that are open, as far as they may lead to attachment data. */
  readonly #path: (string | undefined)[] = [];
  readonly #isObject: boolean[] = [];
  /** Whether a string that starts now is a key. */
  #expectKey = false;
  #state: 'between' | 'string' | 'data' = 'between';
  #stringIsKey = false;
  #escaped = false;
  #key: Buffer[] | undefined;
  /** Start of an escape sequence that a chunk boundary cut. */
  #pendingEscape = '';
  readonly #diverted = new Set<string>();

  constructor(options: { envelopeLimit: number }) {
    this.#limit = options.envelopeLimit;
  }

  /**
   * Takes the next bytes of the document; returns the attachment data in them.
   * @throws GatehouseError `invalid_request` for what can't be a publish document, `payload_too_large` past the limit.
   */
  push(chunk: Buffer): DataPiece[] {
    const pieces: DataPiece[] = [];
    let position = 0;
    let unread = 0;
    while (position < chunk.length) {
      if (this.#state === 'data') {
        position = this.#readData(chunk, position, pieces);
        unread = position;
        continue;
      }
      if (this.#state === 'string') {
        position = this.#readString(chunk, position);
        continue;
      }
      const byte = chunk[position] as number;
      position += 1;
      switch (byte) {
        case quote: {
          if (this.#isAttachmentData()) {
            this.#keep(chunk.subarray(unread, position));
            this.#startData();
            unread = position;
          } else {
            this.#state = 'string';
            this.#stringIsKey = this.#expectKey;
            this.#key = this.#stringIsKey && this.#mayLeadToData() ? [] : undefined;
          }
          break;
        }
        case 0x7b: // {
          this.#open(true);
          break;
        case 0x5b: // [
          this.#open(false);
          break;
        case 0x7d: // }
        case 0x5d: // ]
          this.#close();
          break;
        case 0x2c: // ,
          this.#expectKey = this.#isObject[this.#depth - 1] === true;
          break;
        case 0x3a: // :
          this.#expectKey = false;
          break;
      }
    }
    if (this.#state !== 'data') this.#keep(chunk.subarray(unread));
    return pieces;
  }

  /**
   * The rest of the document, parsed; in the place of each diverted string stands an empty one.
   * @throws GatehouseError `invalid_request` if it is not one JSON value in UTF-8.
   */
  end(): unknown {
    if (this.#state !== 'between' || this.#depth !== 0) throw invalidJson('it ends in the middle');
    let text: string;
    try {
      text = utf8.decode(Buffer.concat(this.#envelope));
    } catch {
      throw invalidJson('it is not valid UTF-8');
    }
    try {
      return JSON.parse(text);
    } catch (error) {
      throw invalidJson(error instanceof Error ? shorten(error.message, 160) : 'it cannot be parsed');
    }
  }

  #keep(bytes: Buffer): void {
    if (bytes.length === 0) return;
    this.#envelopeSize += bytes.length;
    if (this.#envelopeSize > this.#limit) {
      throw new GatehouseError(
        'payload_too_large',
        `The document without its tarball is larger than ${this.#limit} bytes. Shorten the manifest or the readme.`,
      );
    }
    // A copy, since a piece of a socket's buffer would hold all of that in memory.
    this.#envelope.push(Buffer.from(bytes));
  }

  #open(isObject: boolean): void {
    this.#isObject[this.#depth] = isObject;
    this.#path[this.#depth] = undefined;
    this.#depth += 1;
    if (this.#depth > maximumDepth) throw invalidJson(`it is nested deeper than ${maximumDepth} levels`);
    this.#expectKey = isObject;
  }

  #close(): void {
    this.#depth -= 1;
    if (this.#depth < 0) throw invalidJson('it closes more than it opens');
    this.#expectKey = false;
  }

  /** Whether a key here may be one of those that lead to attachment data; other keys do not matter. */
  #mayLeadToData(): boolean {
    return this.#depth === 1 || (this.#depth <= 3 && this.#path[0] === '_attachments');
  }

  #isAttachmentData(): boolean {
    return (
      !this.#expectKey &&
      this.#depth === 3 &&
      this.#path[2] === 'data' &&
      this.#path[0] === '_attachments' &&
      this.#isObject[0] === true &&
      this.#isObject[1] === true &&
      this.#isObject[2] === true
    );
  }

  #startData(): void {
    const attachment = this.#path[1] ?? '';
    if (this.#diverted.has(attachment)) throw invalidJson(`it holds the attachment "${shorten(attachment)}" twice`);
    this.#diverted.add(attachment);
    this.#state = 'data';
  }

  /** Reads on in an ordinary string; returns the position after what was read. */
  #readString(chunk: Buffer, from: number): number {
    for (let position = from; position < chunk.length; position += 1) {
      if (this.#escaped) {
        this.#escaped = false;
        continue;
      }
      const byte = chunk[position];
      if (byte === backslash) this.#escaped = true;
      else if (byte === quote) {
        this.#key?.push(Buffer.from(chunk.subarray(from, position)));
        if (this.#stringIsKey) this.#path[this.#depth - 1] = this.#finishKey();
        this.#state = 'between';
        return position + 1;
      }
    }
    this.#key?.push(Buffer.from(chunk.subarray(from)));
    return chunk.length;
  }

  #finishKey(): string | undefined {
    if (!this.#key) return undefined;
    const raw = Buffer.concat(this.#key);
    if (raw.length > maximumKeyLength) throw invalidJson('it has a key that is too long');
    try {
      const key: unknown = JSON.parse(`"${raw.toString('utf8')}"`);
      return typeof key === 'string' ? key : undefined;
    } catch {
      throw invalidJson('it has a key that cannot be parsed');
    }
  }

  /** Reads on in an attachment's data; returns the position after what was read. */
  #readData(chunk: Buffer, from: number, pieces: DataPiece[]): number {
    const attachment = this.#path[1] ?? '';
    let position = from;
    while (position < chunk.length) {
      if (this.#pendingEscape !== '') {
        this.#pendingEscape += String.fromCharCode(chunk[position] as number);
        position += 1;
        const text = this.#completeEscape();
        if (text !== undefined) pieces.push({ attachment, bytes: Buffer.from(text, 'utf8'), last: false });
        continue;
      }
      const end = chunk.indexOf(quote, position);
      const stop = end === -1 ? chunk.length : end;
      const escape = chunk.subarray(position, stop).indexOf(backslash);
      if (escape !== -1) {
        if (escape > 0) pieces.push({ attachment, bytes: chunk.subarray(position, position + escape), last: false });
        this.#pendingEscape = '\\';
        position += escape + 1;
        continue;
      }
      pieces.push({ attachment, bytes: chunk.subarray(position, stop), last: end !== -1 });
      if (end === -1) return chunk.length;
      this.#state = 'between';
      // The closing quote goes to the envelope, whose opening one stands there already.
      this.#keep(chunk.subarray(end, end + 1));
      return end + 1;
    }
    return position;
  }

  /** The text of the escape sequence read so far once it is whole. Surrogate pairs are two sequences and are joined. */
  #completeEscape(): string | undefined {
    const escape = this.#pendingEscape;
    const isUnicode = escape[1] === 'u';
    if (isUnicode && escape.length < 6) return undefined;
    const isHighSurrogate = isUnicode && /^\\ud[89ab]/i.test(escape);
    if (isHighSurrogate && escape.length < 12 && /^(?:$|\\$|\\u)/.test(escape.slice(6))) return undefined;
    this.#pendingEscape = '';
    try {
      const text: unknown = JSON.parse(`"${escape}"`);
      if (typeof text === 'string') return text;
    } catch {
      // Falls through to the error below.
    }
    throw invalidJson('an attachment holds an escape sequence that cannot be parsed');
  }
}

function invalidJson(why: string): GatehouseError {
  return new GatehouseError('invalid_request', `Invalid json: ${why}. Publish with an npm client, which writes it.`, {
    gitlabMessage: 'Invalid json',
  });
}
