import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

const compressGzip = promisify(gzip);
const compressBrotli = promisify(brotliCompress);

/** Compresses an answer on another thread. */
export async function compress(bytes: Buffer, encoding: 'identity' | 'gzip' | 'br'): Promise<Buffer> {
  if (encoding === 'identity') return bytes;
  if (encoding === 'gzip') return compressGzip(bytes, { level: 6 });
  return compressBrotli(bytes, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: bytes.length > 1024 * 1024 ? 4 : 6,
      [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
    },
  });
}
