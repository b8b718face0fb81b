const equals = 0x3d;
const hyphen = 0x2d;
const underscore = 0x5f;

/**
 * Decodes base64 strictly while it arrives: only the standard alphabet, padding only at the end, one way to write each byte, no white space. Node's own decoder
 * skips what it does not know, so each decoded length is compared with the one that the text must give.
 */
export class Base64Decoder {
  #rest = '';
  #padded = false;

  /** The bytes that are complete so far; undefined if the text is not base64. */
  push(text: Buffer): Buffer | undefined {
    if (text.length === 0) return Buffer.alloc(0);
    if (this.#padded || text.includes(hyphen) || text.includes(underscore)) return undefined;
    // The rest of the piece before is completed first, so that the bulk is never copied into a longer text.
    const missing = this.#rest === '' ? 0 : 4 - this.#rest.length;
    const first = this.#rest + text.toString('latin1', 0, missing);
    if (missing > 0) {
      this.#rest = first;
      if (first.length < 4) return Buffer.alloc(0);
      this.#rest = '';
    }
    const whole = text.length - ((text.length - missing) % 4);
    const group = text.toString('latin1', missing, whole);
    this.#rest = text.toString('latin1', whole);
    const start = missing > 0 ? this.#decode(first) : Buffer.alloc(0);
    const bulk = start && this.#decode(group);
    if (!start || !bulk) return undefined;
    return start.length === 0 ? bulk : Buffer.concat([start, bulk]);
  }

  /** Whether the text may end here. */
  end(): boolean {
    return this.#rest === '';
  }

  /** Whole groups of four characters; undefined if they are not base64 or come after the padding. */
  #decode(group: string): Buffer | undefined {
    if (group === '') return this.#padded && this.#rest !== '' ? undefined : Buffer.alloc(0);
    if (this.#padded) return undefined;
    const decoded = Buffer.from(group, 'base64');
    const last = group.length - 1;
    let padding = 0;
    if (group.charCodeAt(last) === equals) {
      padding = group.charCodeAt(last - 1) === equals ? 2 : 1;
      this.#padded = true;
      if (this.#rest !== '') return undefined;
    }
    if (decoded.length !== (group.length / 4) * 3 - padding) return undefined;
    // Bits behind the last byte that are not zero are a second way to write the same bytes (RFC 4648, 3.5).
    if (padding > 0 && decoded.toString('base64', decoded.length - (3 - padding)) !== group.slice(-4)) return undefined;
    return decoded;
  }
}
