import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { print, printJson, printText, remark } from './terminal.ts';
import { GatehouseError } from '../contract/errors.ts';
import { escapeControls, hideControls, printable } from '../contract/printable.ts';
import { shorten } from '../lib/printable.ts';

/** Each with what is left of it on one line. */
const hostile: readonly (readonly [text: string, shown: string])[] = [
  ['lodash\u001b[2K\u001b[1A', 'lodash�[2K�[1A'],
  ['\u001b]8;;https://evil.example\u0007link', '�]8;;https://evil.example�link'],
  ['\u009b2J', '�2J'],
  ['unknown key\rtrusted key', 'unknown key�trusted key'],
  ['a\nSigned with x (trusted key)', 'a�Signed with x (trusted key)'],
  ['a\u2028b\u2029c\u0085d\u000be', 'a�b�c�d�e'],
  ['\u202e(yek detsurt)', '�(yek detsurt)'],
  ['\u2066a\u2069\u200e\u200f\u061c', '�a����'],
  ['re\u200bact \ufeffx\u2060y\u00adz', 're�act �x�y�z'],
  ['re\u200dact', 're�act'],
  ['a\u{e0041}', 'a�'],
  ['\u0000', '�'],
];
const fine = ['Grüße, 世界! עברית العربية', '👩‍💻 🏳️‍🌈 👨🏽‍🚀', 'a – b … “c”'];

const seen = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff]/; // eslint-disable-line no-control-regex

describe('text from outside', () => {
  it.each(hostile)('shows what cannot be seen as a mark: %j', (text, shown) => {
    expect(printable(text)).toBe(shown);
    expect(shorten(text)).toBe(shown);
    expect(new GatehouseError('not_found', `There is no "${text}".`).message).toBe(`There is no "${shown}".`);
    expect(hideControls(`${text}\n\tnext\r\nlast`)).not.toMatch(seen);
    expect(hideControls('a\n\tnext\r\nlast')).toBe('a\n\tnext\nlast');
  });

  it.each(fine)('stays as it is: %s', (text) => {
    expect(printable(text)).toBe(text);
  });

  it('is escaped in JSON, with the same meaning', () => {
    const value = Object.fromEntries(hostile);
    const json = escapeControls(JSON.stringify(value, null, 2));
    expect(json).not.toMatch(seen);
    expect(JSON.parse(json)).toEqual(value);
  });
});

describe('the command line', () => {
  it.each(hostile)('writes one line for one line: %j', (text, shown) => {
    const written: string[] = [];
    const take = (chunk: unknown) => written.push(String(chunk)) > 0;
    const spies = [process.stdout, process.stderr].map((stream) => vi.spyOn(stream, 'write').mockImplementation(take));
    try {
      print(`bundle of ${text}`);
      remark(text);
      printJson({ text });
      printText(`${text}\n`);
    } finally {
      for (const spy of spies) spy.mockRestore();
    }
    expect(written[0]).toBe(`bundle of ${shown}\n`);
    expect(written[1]).toBe(`${shown}\n`);
    expect(JSON.parse(written[2] ?? '')).toEqual({ text });
    for (const chunk of written) expect(chunk).not.toMatch(seen);
  });

  it('writes by way of terminal.ts only', () => {
    const folder = import.meta.dirname;
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) =>
      /(?<!\.test)\.ts$/.test(file),
    );
    expect(files.length).toBeGreaterThan(20);
    const others = files.filter(
      (file) =>
        !['terminal.ts', 'main.ts'].includes(file) &&
        /(?:std(?:out|err)\.write|console\.)/.test(readFileSync(path.join(folder, file), 'utf8')),
    );
    expect(others).toEqual([]);
  });
});
