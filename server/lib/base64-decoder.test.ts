import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Base64Decoder } from './base64-decoder.ts';

function decode(text: string, cuts: readonly number[] = []): Buffer | undefined {
  const decoder = new Base64Decoder();
  const out: Buffer[] = [];
  let from = 0;
  for (const cut of [...cuts.filter((cut) => cut < text.length).toSorted((a, b) => a - b), text.length]) {
    const bytes = decoder.push(Buffer.from(text.slice(from, cut)));
    if (!bytes) return undefined;
    out.push(bytes);
    from = cut;
  }
  return decoder.end() ? Buffer.concat(out) : undefined;
}

describe('Base64Decoder', () => {
  it('gives back any bytes, however their text is cut', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), fc.array(fc.nat(400)), (bytes, cuts) => {
        expect(decode(Buffer.from(bytes).toString('base64'), cuts)).toEqual(Buffer.from(bytes));
      }),
    );
  });

  it.each([
    'QUJ',
    'Q',
    'QU=D',
    '=QUJ',
    'QQ==QUJD',
    'QUJD====',
    'QU JD',
    'QUJD\n',
    'QU-_',
    'QUJ!',
    'Q===',
    'QR==',
    'QUJDQUJ=',
    'ÄÄÄÄ',
  ])('refuses %j, which a lenient decoder would take', (text) => {
    expect(decode(text)).toBeUndefined();
    for (let cut = 1; cut < text.length; cut += 1) expect(decode(text, [cut])).toBeUndefined();
  });
});
