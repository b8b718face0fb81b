import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { iconSizes } from './icons.ts';

const read = (file: string): Buffer => readFileSync(path.join(import.meta.dirname, '../electron/icons', file));

/** Width and height of a PNG. */
function sizeOf(png: Buffer): [number, number] {
  expect(png.subarray(0, 8).toString('latin1')).toBe('\u0089PNG\r\n\u001A\n');
  return [png.readUInt32BE(16), png.readUInt32BE(20)];
}

test('the icons for Linux have the sizes that their names say', () => {
  for (const size of iconSizes.linux) expect(sizeOf(read(`${size}x${size}.png`))).toEqual([size, size]);
});

test('the icon for Windows holds a picture of each size where its directory says', () => {
  const ico = read('icon.ico');
  const count = ico.readUInt16LE(4);
  const sizes = Array.from({ length: count }, (_, index) => {
    const entry = 6 + 16 * index;
    const offset = ico.readUInt32LE(entry + 12);
    const [width] = sizeOf(ico.subarray(offset, offset + ico.readUInt32LE(entry + 8)));
    expect(ico.readUInt8(entry)).toBe(width % 256);
    return width;
  });
  expect(sizes).toEqual(iconSizes.ico);
});

test('the icon for macOS is chunks of the named types and sizes up to its end', () => {
  const icns = read('icon.icns');
  expect(icns.toString('latin1', 0, 4)).toBe('icns');
  expect(icns.readUInt32BE(4)).toBe(icns.length);
  const found: Record<string, number> = {};
  for (let offset = 8; offset < icns.length; offset += icns.readUInt32BE(offset + 4)) {
    found[icns.toString('latin1', offset, offset + 4)] = sizeOf(icns.subarray(offset + 8))[0];
  }
  expect(found).toEqual(iconSizes.icns);
});
