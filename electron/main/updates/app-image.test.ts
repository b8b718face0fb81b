import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { replaceableAppImage } from './app-image.ts';

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'gatehouse-app-image-'));
});

afterEach(async () => {
  await rm(folder, { recursive: true });
});

describe('an AppImage that another can take the place of', () => {
  it('is the one that the app was started from', async () => {
    const file = path.join(folder, 'Gatehouse.AppImage');
    await writeFile(file, '');
    expect(await replaceableAppImage('linux', { APPIMAGE: file })).toBe(file);
  });

  it('is none outside of one, on another system, or where it is gone', async () => {
    const file = path.join(folder, 'Gatehouse.AppImage');
    expect(await replaceableAppImage('linux', {})).toBeNull();
    expect(await replaceableAppImage('linux', { APPIMAGE: file })).toBeNull();
    await mkdir(file);
    expect(await replaceableAppImage('linux', { APPIMAGE: file })).toBeNull();
    expect(await replaceableAppImage('linux', { APPIMAGE: 'Gatehouse.AppImage' })).toBeNull();
    expect(await replaceableAppImage('darwin', { APPIMAGE: process.execPath })).toBeNull();
  });
});
