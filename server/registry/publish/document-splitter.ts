import { shorten } from '../../lib/printable.ts';
import { DocumentPart, invalidJson, tooLarge } from './document-part.ts';
import { StringUnescaper } from './string-unescaper.ts';
import type { DocumentLimits } from './upload-limits.ts';

/** A piece of one attachment's `data`, unescaped but still base64 (or plain text for a bundle). */
export interface DataPiece {
  readonly attachment: string;
  readonly bytes: Buffer;
  /** Whether the string ends with this piece. */
  readonly last: boolean;
}

const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;
const maximumKeyLength = 1024;
/** A key takes the parser as long as so many values of a list. */
const costOfKey = 4;
/**
 * Splits a document while it arrives. The strings at `$._attachments.<file>.data`, which make up nearly all of a publish, are handed out
 * piece by piece. The manifests at `$.versions.<version>`, which make up nearly all of a deprecation, are parsed one by one: the first as
 * a whole, of the others, which no publish has, only a text in `deprecated` is kept. Everything else is collected and parsed at the end. So
 * neither the time between two pieces nor, but for those texts, memory grows with the document.
 */
export class DocumentSplitter {
  readonly #limits: DocumentLimits;
  readonly #keepsManifests: boolean;
  readonly #envelope: DocumentPart;
  /** The manifest that is being read, and the depth at which it began. */
  #manifest: { readonly version: string; readonly part: DocumentPart; readonly depth: number } | undefined;
  readonly #manifests = new Map<string, unknown>();
  /** Bytes of those. */
  #kept = 0;
  /** Bytes read so far, without attachment data. */
  #size = 0;
  #depth = 0;
  /** Keys of the objects that are open, as far as they may lead to attachment data or manifests. */
  readonly #path: (string | undefined)[] = [];
  readonly #isObject: boolean[] = [];
  /** Whether a string that starts now is a key. */
  #expectKey = false;
  #state: 'between' | 'string' | 'data' = 'between';
  #stringIsKey = false;
  #escaped = false;
  #key: Buffer[] | undefined;
  readonly #data = new StringUnescaper();
  readonly #diverted = new Set<string>();

  /** @param options.keepsManifests whether all manifests are kept whole, which takes memory with the document */
  constructor(limits: DocumentLimits, { keepsManifests = false } = {}) {
    this.#limits = limits;
    this.#envelope = new DocumentPart(limits);
    this.#keepsManifests = keepsManifests;
  }

  /** Bytes that are held now, with what parsing makes of them. */
  get held(): number {
    return this.#envelope.weight + (this.#manifest?.part.weight ?? 0) + this.#kept;
  }

  /**
   * Takes the next bytes of the document; returns the attachment data in them.
   * @throws GatehouseError `invalid_request` for what can't be a publish document, `payload_too_large` past the limits.
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
            this.#key = this.#stringIsKey && this.#mayLeadSomewhere() ? [] : undefined;
          }
          break;
        }
        case 0x7b: // {
          if (this.#isManifest()) {
            this.#keep(chunk.subarray(unread, position - 1));
            unread = position - 1;
            this.#startManifest();
          }
          this.#open(true);
          break;
        case 0x5b: // [
          this.#open(false);
          break;
        case 0x7d: // }
        case 0x5d: // ]
          this.#close();
          if (this.#manifest?.depth === this.#depth) {
            this.#keep(chunk.subarray(unread, position));
            unread = position;
            this.#finishManifest();
          }
          break;
        case comma:
          this.#current.count(1);
          this.#expectKey = this.#isObject[this.#depth - 1] === true;
          break;
        case 0x3a: // :
          this.#current.count(costOfKey - 1);
          this.#expectKey = false;
          break;
      }
    }
    if (this.#state !== 'data') this.#keep(chunk.subarray(unread));
    return pieces;
  }

  /**
   * The rest of the document, parsed, with the manifests in their places; in the place of each diverted string stands an empty one.
   * @throws GatehouseError `invalid_request` if it is not one JSON value in UTF-8.
   */
  end(): unknown {
    if (this.#state !== 'between' || this.#depth !== 0) throw invalidJson('it ends in the middle');
    const document = this.#envelope.parse();
    const versions = isObject(document) ? document['versions'] : undefined;
    if (!isObject(versions)) return document;
    // A key that came twice counts as it came last, as for JSON.parse; what was no object stayed where it was.
    for (const [version, manifest] of this.#manifests) {
      if (Object.hasOwn(versions, version) && versions[version] === true) versions[version] = manifest;
    }
    return document;
  }

  get #current(): DocumentPart {
    return this.#manifest?.part ?? this.#envelope;
  }

  #isManifest(): boolean {
    return (
      !this.#expectKey &&
      this.#depth === 2 &&
      this.#path[0] === 'versions' &&
      this.#path[1] !== undefined &&
      this.#isObject[0] === true &&
      this.#isObject[1] === true
    );
  }

  #startManifest(): void {
    const version = this.#path[1] ?? '';
    this.#envelope.add(placeholder);
    this.#manifest = { version, part: new DocumentPart(this.#limits), depth: this.#depth };
  }

  #finishManifest(): void {
    if (!this.#manifest) return;
    const { version, part } = this.#manifest;
    const manifest = part.parse();
    this.#manifest = undefined;
    if (this.#keepsManifests || this.#manifests.size === 0) {
      this.#kept += part.weight;
      this.#manifests.set(version, manifest);
      return;
    }
    const deprecated = isObject(manifest) && Object.hasOwn(manifest, 'deprecated') ? manifest['deprecated'] : undefined;
    if (typeof deprecated === 'object' && deprecated !== null) {
      throw invalidJson(`versions["${shorten(version)}"].deprecated is not a text`);
    }
    if (typeof deprecated === 'string') this.#kept += 2 * deprecated.length;
    this.#manifests.set(version, deprecated === undefined ? {} : { deprecated });
  }

  #keep(bytes: Buffer): void {
    if (bytes.length === 0) return;
    this.#size += bytes.length;
    if (this.#size > this.#limits.size) throw tooLarge(this.#limits.size);
    this.#current.add(bytes);
  }

  #open(isObject: boolean): void {
    this.#current.count(1);
    this.#isObject[this.#depth] = isObject;
    this.#path[this.#depth] = undefined;
    this.#depth += 1;
    const { depth } = this.#limits;
    if (this.#depth > depth) throw invalidJson(`it is nested deeper than ${depth} levels`);
    this.#expectKey = isObject;
  }

  #close(): void {
    this.#depth -= 1;
    if (this.#depth < 0) throw invalidJson('it closes more than it opens');
    this.#expectKey = false;
  }

  /** Whether a key here may be one of those that lead to attachment data or a manifest; other keys do not matter. */
  #mayLeadSomewhere(): boolean {
    if (this.#depth === 1) return true;
    return (
      (this.#depth <= 3 && this.#path[0] === '_attachments') || (this.#depth === 2 && this.#path[0] === 'versions')
    );
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

  /** Reads on in an attachment's data, one piece of it; returns the position after what was read. */
  #readData(chunk: Buffer, from: number, pieces: DataPiece[]): number {
    const attachment = this.#path[1] ?? '';
    const { bytes, end, closed } = this.#data.read(chunk, from);
    if (closed) {
      this.#state = 'between';
      // The closing quote goes to the envelope, whose opening one stands there already.
      this.#keep(chunk.subarray(end - 1, end));
    }
    if (bytes.length > 0 || closed) pieces.push({ attachment, bytes, last: closed });
    return end;
  }
}

/** Stands for a manifest until the end; what is no JSON with the manifest is none with this. */
const placeholder = Buffer.from('true');

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
