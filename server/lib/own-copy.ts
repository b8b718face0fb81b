/**
 * A text that holds no other one in memory. A slice of a long text, or a text made of several, keeps those alive in V8; what stays for longer
 * than its request is copied first.
 */
export function ownText(text: string): string {
  return Buffer.from(text).toString();
}

/** At most so many characters of a text that holds no other one in memory, as what Node's parser of HTTP makes; nor does the result. */
export function startOf(text: string, length: number): string {
  return text.length <= length ? text : ownText(text.slice(0, length));
}

/**
 * A value whose `bytes`, if it has any, hold no larger block in memory. Small buffers are slices of blocks of 64 KiB that Node shares out, each of
 * which stays as long as any slice of it; what zlib answers is a slice too.
 */
export function withOwnBytes<V>(value: V): V {
  if (typeof value !== 'object' || value === null || !('bytes' in value) || !Buffer.isBuffer(value.bytes)) return value;
  return { ...value, bytes: ownBytes(value.bytes) };
}

function ownBytes(bytes: Buffer): Buffer {
  if (bytes.buffer.byteLength === bytes.length) return bytes;
  const copy = Buffer.allocUnsafeSlow(bytes.length);
  bytes.copy(copy);
  return copy;
}
