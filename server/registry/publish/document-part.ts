import { GatehouseError } from '../../contract/errors.ts';
import { shorten } from '../../lib/printable.ts';
import type { DocumentLimits } from './upload-limits.ts';

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Bytes that a parsed value takes beside its text. */
const bytesOfValue = 32;

/** Bytes and values of a document that are collected to be parsed together. */
export class DocumentPart {
  readonly #limits: DocumentLimits;
  readonly #pieces: Buffer[] = [];
  #values = 0;
  size = 0;

  constructor(limits: DocumentLimits) {
    this.#limits = limits;
  }

  add(bytes: Buffer): void {
    this.size += bytes.length;
    if (this.size > this.#limits.part) throw tooLarge(this.#limits.part);
    // A copy, since a piece of a socket's buffer would hold all of that in memory.
    this.#pieces.push(Buffer.from(bytes));
  }

  /** Bytes that it takes now, or once it is parsed. */
  get weight(): number {
    return this.size + this.#values * bytesOfValue;
  }

  count(values: number): void {
    this.#values += values;
    if (this.#values > this.#limits.values) throw invalidJson(`it holds more than ${this.#limits.values} values`);
  }

  /** @throws GatehouseError `invalid_request` if it is not one JSON value in UTF-8. */
  parse(): unknown {
    let text: string;
    try {
      text = utf8.decode(Buffer.concat(this.#pieces));
    } catch {
      throw invalidJson('it is not valid UTF-8');
    }
    try {
      return JSON.parse(text);
    } catch (error) {
      throw invalidJson(error instanceof Error ? shorten(error.message, 160) : 'it cannot be parsed');
    }
  }
}

/** The error of a document that is longer than `limit` bytes without its tarball. */
export function tooLarge(limit: number): GatehouseError {
  return new GatehouseError(
    'payload_too_large',
    `The document without its tarball is larger than ${limit} bytes. Shorten the manifest or the readme.`,
  );
}

/** The error of a document that is no JSON, or none that an npm client writes. */
export function invalidJson(why: string): GatehouseError {
  return new GatehouseError('invalid_request', `Invalid json: ${why}. Publish with an npm client, which writes it.`, {
    gitlabMessage: 'Invalid json',
  });
}
