const equals = 0x3d;
const hyphen = 0x2d;
const underscore = 0x5f;

/**
 * Decodes base64 strictly while it arrives: only the standard alphabet, padding only at the end, no white space. Node's own decoder
 * skips what it does not know, so each decoded length is compared with the one that the text must give.
 */
export class Base64Decoder {
  #rest = '';
  #padded = false;

  /** The bytes that are complete so far; undefined if the text is not base64. */
  push(text: Buffer): Buffer | undefined {
    if (text.length === 0) return Buffer.alloc(0);
    if (this.#padded || text.includes(hyphen) || text.includes(underscore)) return undefined;
    const joined = this.#rest + text.toString('latin1');
    const whole = joined.length - (joined.length % 4);
    this.#rest = joined.slice(whole);
    if (whole === 0) return Buffer.alloc(0);
    const group = this.#rest === '' ? joined : joined.slice(0, whole);
    const decoded = Buffer.from(group, 'base64');
    let padding = 0;
    if (group.charCodeAt(whole - 1) === equals) {
      padding = group.charCodeAt(whole - 2) === equals ? 2 : 1;
      this.#padded = true;
      if (this.#rest !== '') return undefined;
    }
    return decoded.length === (whole / 4) * 3 - padding ? decoded : undefined;
  }

  /** Whether the text may end here. */
  end(): boolean {
    return this.#rest === '';
  }
}
