import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

const compressGzip = promisify(gzip);
const compressBrotli = promisify(brotliCompress);

/** Compresses an answer on another thread; the result holds no more memory than its bytes, as caches count them. */
export async function compress(bytes: Buffer, encoding: 'identity' | 'gzip' | 'br'): Promise<Buffer> {
  if (encoding === 'identity') return bytes;
  const compressed =
    encoding === 'gzip'
      ? await compressGzip(bytes, { level: 6 })
      : await compressBrotli(bytes, {
          params: {
            [constants.BROTLI_PARAM_QUALITY]: bytes.length > 1024 * 1024 ? 4 : 6,
            [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
          },
        });
  // zlib answers a part of a larger block, all of which a cache would keep.
  const exact = Buffer.allocUnsafeSlow(compressed.length);
  compressed.copy(exact);
  return exact;
}
