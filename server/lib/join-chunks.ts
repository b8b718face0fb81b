/** The chunks as one piece; a single one is not copied. */
export function joinChunks(chunks: readonly Buffer[]): Buffer {
  const [first] = chunks;
  return first && chunks.length === 1 ? first : Buffer.concat(chunks);
}
