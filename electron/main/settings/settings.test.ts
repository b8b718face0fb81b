import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { JsonFile } from './json-file.ts';
import { storedSettings, Settings } from './settings.ts';

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
  keepInTray: false,
  notifications: false,
  largestTarball: 500,
  checkUpdatesAtStart: false,
  dataDir: null,
  formerDataDir: null,
};

const open = (): Settings => new Settings(new JsonFile(file, storedSettings));

describe('settings', () => {
  it('have defaults before anything was saved', () => {
    expect(open().current).toEqual(defaults);
  });

  it('are there again at the next start', () => {
    open().save({ theme: 'dark' });
    expect(open().current).toEqual({ ...defaults, theme: 'dark' });
  });

  it('start anew from a broken file, which is kept', () => {
    writeFileSync(file, '{ "theme": "da');
    expect(open().current.theme).toBe('system');
    expect(readFileSync(`${file}.broken`, 'utf8')).toBe('{ "theme": "da');
  });

  it('start anew from values that make no sense', () => {
    writeFileSync(file, '{ "theme": "pink", "port": 99999 }');
    expect(open().current).toEqual(defaults);
  });

  it('stay as they were when they cannot be saved', () => {
    writeFileSync(path.join(folder, 'blocked'), '');
    const settings = new Settings(new JsonFile(path.join(folder, 'blocked/settings.json'), storedSettings));
    expect(() => settings.save({ theme: 'dark' })).toThrow();
    expect(settings.current.theme).toBe('system');
    expect(existsSync(file)).toBe(false);
  });
});
