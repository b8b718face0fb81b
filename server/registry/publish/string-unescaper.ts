import { invalidJson } from './document-part.ts';

const quote = 0x22;
const backslash = 0x5c;

/** What was read of a string in one chunk. */
export interface UnescapedPiece {
  readonly bytes: Buffer;
  /** The position after what was read, and after the closing quote if it was there. */
  readonly end: number;
  readonly closed: boolean;
}

/** Unescapes JSON strings that arrive in chunks, one after another; an escape sequence may be cut anywhere. */
export class StringUnescaper {
  /** Start of an escape sequence that a chunk boundary cut. */
  #pendingEscape = '';

  /**
   * Reads from a position up to the closing quote or the end of the chunk.
   * @throws GatehouseError `invalid_request` for an escape sequence that JSON does not have.
   */
  read(chunk: Buffer, from: number): UnescapedPiece {
    // Joined, as every other character may be an escape sequence, and a piece costs far more than its byte.
    const parts: Buffer[] = [];
    let escaped = '';
    const addEscaped = (): void => {
      if (escaped !== '') parts.push(Buffer.from(escaped, 'utf8'));
      escaped = '';
    };
    const result = (at: number, closed: boolean): UnescapedPiece => {
      addEscaped();
      const [only = Buffer.alloc(0)] = parts;
      return { bytes: parts.length > 1 ? Buffer.concat(parts) : only, end: at, closed };
    };
    let position = from;
    let end = chunk.indexOf(quote, position);
    while (position < chunk.length) {
      if (this.#pendingEscape !== '') {
        this.#pendingEscape += String.fromCharCode(chunk[position] as number);
        position += 1;
        escaped += this.#completeEscape() ?? '';
        continue;
      }
      const byte = chunk[position];
      if (byte === backslash) {
        this.#pendingEscape = '\\';
        position += 1;
        continue;
      }
      addEscaped();
      if (byte === quote) return result(position + 1, true);
      // It may have been part of an escape sequence.
      if (end !== -1 && end < position) end = chunk.indexOf(quote, position);
      const stop = end === -1 ? chunk.length : end;
      const escape = chunk.subarray(position, stop).indexOf(backslash);
      const next = escape === -1 ? stop : position + escape;
      parts.push(chunk.subarray(position, next));
      position = next;
    }
    return result(position, false);
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
