/** The chunks as one piece; a single one is not copied. */
export function joinChunks(chunks: readonly Buffer[]): Buffer {
  const [first] = chunks;
  return first && chunks.length === 1 ? first : Buffer.concat(chunks);
}

/** Bytes of one piece: few enough that nothing made of one takes long, or much memory. */
const pieceSize = 32 * 1024;

/**
 * A body that came as a whole, piece by piece.
 * @param turn is awaited between two pieces
 */
export async function* inPieces(bytes: Buffer, turn?: () => Promise<void>): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += pieceSize) {
    if (at > 0) await turn?.();
    yield bytes.subarray(at, at + pieceSize);
  }
}

/** The same bytes as a Buffer: what comes from another thread is a plain array. */
export function bufferOf({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}
