import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { JsonFile } from './json-file.ts';
import { Settings, settingsChange, storedSettings } from './settings.ts';

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'gatehouse-settings-'));
  file = path.join(folder, 'settings.json');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const defaults = {
  theme: 'system',
  port: 4899,
  serveOthers: false,
  keepInTray: false,
  notifications: false,
  largestTarball: 500,
  checkUpdatesAtStart: false,
  dataDir: null,
  formerDataDirs: [],
};

const open = (): Settings => new Settings(new JsonFile(file, storedSettings));

describe('settings', () => {
  it('have defaults before the first save', () => {
    expect(open().current).toEqual(defaults);
  });

  it('are read again at the next start', () => {
    open().save({ theme: 'dark' });
    expect(open().current).toEqual({ ...defaults, theme: 'dark' });
  });

  it('fall back to the defaults from a broken file, which is renamed', () => {
    writeFileSync(file, '{ "theme": "da');
    expect(open().current.theme).toBe('system');
    expect(readFileSync(`${file}.broken`, 'utf8')).toBe('{ "theme": "da');
  });

  it('keep the previous data folder of an older version', () => {
    writeFileSync(file, '{ "dataDir": "/new", "formerDataDir": "/old" }');
    expect(open().current).toMatchObject({ dataDir: '/new', formerDataDirs: ['/old'] });
    open().save({ formerDataDirs: ['/newer', '/old'] });
    expect(open().current.formerDataDirs).toEqual(['/newer', '/old']);
    writeFileSync(file, '{ "formerDataDir": null }');
    expect(open().current).toEqual(defaults);
  });

  it('fall back to the defaults from invalid values', () => {
    writeFileSync(file, '{ "theme": "pink", "port": 99999 }');
    expect(open().current).toEqual(defaults);
  });

  it('of an older version serve this computer alone', () => {
    writeFileSync(file, '{ "theme": "dark", "port": 4900 }');
    expect(open().current).toEqual({ ...defaults, theme: 'dark', port: 4900 });
  });

  it('serve other computers only where the page says yes or no', () => {
    expect(settingsChange.safeParse({ serveOthers: true }).success).toBe(true);
    for (const serveOthers of ['0.0.0.0', 1, null]) {
      expect(settingsChange.safeParse({ serveOthers }).success, String(serveOthers)).toBe(false);
    }
  });

  it('do not change when they cannot be saved', () => {
    writeFileSync(path.join(folder, 'blocked'), '');
    const settings = new Settings(new JsonFile(path.join(folder, 'blocked/settings.json'), storedSettings));
    expect(() => settings.save({ theme: 'dark' })).toThrow();
    expect(settings.current.theme).toBe('system');
    expect(existsSync(file)).toBe(false);
  });
});
