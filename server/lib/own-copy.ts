/**
 * A text that holds no other one in memory. A slice of a long text, or a text made of several, keeps those alive in V8; what stays for longer
 * than its request is copied first.
 */
export function ownText(text: string): string {
  return Buffer.from(text).toString();
}

/** Bytes that hold no larger block in memory, as small buffers and slices do. */
export function ownBytes(bytes: Buffer): Buffer {
  if (bytes.buffer.byteLength === bytes.length) return bytes;
  const copy = Buffer.allocUnsafeSlow(bytes.length);
  bytes.copy(copy);
  return copy;
}
