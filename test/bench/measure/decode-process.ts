/**
 * What Node needs to read a publish document, decode its base64 and hash the bytes (SHA-512 and SHA-1), with no registry around it. Prints
 * the milliseconds.
 */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';

const mark = Buffer.from('"data":"');
const quote = 0x22;

const from = performance.now();
const sha512 = createHash('sha512');
const sha1 = createHash('sha1');
let rest = '';
let state: 'before' | 'data' | 'after' = 'before';
for await (const chunk of createReadStream(process.argv[2] ?? '', {
  highWaterMark: 1024 * 1024,
}) as AsyncIterable<Buffer>) {
  let begin = 0;
  if (state === 'before') {
    // The mark stands in the first kilobytes, hence in the first chunk.
    begin = chunk.indexOf(mark) + mark.length;
    state = 'data';
  }
  if (state === 'after') continue;
  const quoteAt = chunk.indexOf(quote, begin);
  const end = quoteAt < 0 ? chunk.length : quoteAt;
  if (quoteAt >= 0) state = 'after';
  const text = rest + chunk.toString('latin1', begin, end);
  const whole = quoteAt < 0 ? text.length - (text.length % 4) : text.length;
  rest = text.slice(whole);
  const bytes = Buffer.from(text.slice(0, whole), 'base64');
  sha512.update(bytes);
  sha1.update(bytes);
}
sha512.digest();
sha1.digest();
process.stdout.write(String(performance.now() - from));
