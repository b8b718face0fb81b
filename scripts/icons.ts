import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Resvg } from '@resvg/resvg-js';
import { projectFolder } from './build.ts';

const folder = path.join(projectFolder, 'electron/icons');

/** The sizes of a Linux icon theme, and the entries of the two containers, in pixels. */
export const iconSizes = {
  linux: [16, 24, 32, 48, 64, 128, 256, 512],
  ico: [16, 24, 32, 48, 64, 128, 256],
  /** By type: those that hold a PNG, most of them for screens with two pixels per point. */
  icns: { ic11: 32, ic12: 64, ic07: 128, ic13: 256, ic08: 256, ic14: 512, ic09: 512, ic10: 1024 },
} as const;

/** Makes all forms of the app's icon from `electron/icons/icon.svg`. */
async function makeIcons(): Promise<void> {
  const svg = await readFile(path.join(folder, 'icon.svg'), 'utf8');
  for (const size of iconSizes.linux) await writeFile(path.join(folder, `${size}x${size}.png`), render(svg, size));
  await writeFile(path.join(projectFolder, 'electron/assets/icon.png'), render(svg, 512));
  await writeFile(path.join(folder, 'icon.ico'), ico(iconSizes.ico.map((size) => [size, render(svg, size)])));
  // macOS wants a tenth of the picture left empty on each side.
  const framed = svg.replace('viewBox="0 0 24 24"', 'viewBox="-1.66 -1.66 27.32 27.32"');
  const entries = Object.entries(iconSizes.icns).map(([type, size]) => [type, render(framed, size)] as const);
  await writeFile(path.join(folder, 'icon.icns'), icns(entries));
}

function render(svg: string, size: number): Buffer {
  return new Resvg(svg, { fitTo: { mode: 'width', value: size } }).render().asPng();
}

/** A Windows icon: a directory with one entry of 16 bytes per picture, then the pictures. */
function ico(pictures: readonly (readonly [size: number, png: Buffer])[]): Buffer {
  const header = Buffer.alloc(6 + 16 * pictures.length);
  header.writeUInt16LE(1, 2);
  header.writeUInt16LE(pictures.length, 4);
  let offset = header.length;
  for (const [index, [size, png]] of pictures.entries()) {
    const entry = 6 + 16 * index;
    // 256 is written as 0.
    header.writeUInt8(size % 256, entry);
    header.writeUInt8(size % 256, entry + 1);
    header.writeUInt16LE(1, entry + 4);
    header.writeUInt16LE(32, entry + 6);
    header.writeUInt32LE(png.length, entry + 8);
    header.writeUInt32LE(offset, entry + 12);
    offset += png.length;
  }
  return Buffer.concat([header, ...pictures.map(([, png]) => png)]);
}

/** A macOS icon: chunks of type, length and PNG. */
function icns(pictures: readonly (readonly [type: string, png: Buffer])[]): Buffer {
  const chunks = pictures.map(([type, png]) => Buffer.concat([chunkHeader(type, png.length), png]));
  const content = Buffer.concat(chunks);
  return Buffer.concat([chunkHeader('icns', content.length), content]);
}

function chunkHeader(type: string, length: number): Buffer {
  const header = Buffer.alloc(8);
  header.write(type, 'latin1');
  header.writeUInt32BE(length + 8, 4);
  return header;
}

if (import.meta.main) await makeIcons();
