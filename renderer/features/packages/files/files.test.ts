import { describe, expect, it } from 'vitest';
import { diffRows } from './diff-rows.ts';
import { firstFile, listFiles } from './file-changes.ts';
import { highlightLines } from './highlight.ts';

const file = (path: string, sha1 = 'same') => ({ path, size: 1, executable: false, sha1 });

describe('listFiles', () => {
  it('shows every file of one version, and the differing ones of two', () => {
    const files = [file('a.js'), file('b.js', 'new'), file('d.js')];
    expect(listFiles(files, undefined)).toHaveLength(3);
    expect(listFiles(files, [file('a.js'), file('b.js', 'old'), file('c.js')])).toEqual([
      { path: 'b.js', size: 1, change: 'changed' },
      { path: 'c.js', size: 1, change: 'removed' },
      { path: 'd.js', size: 1, change: 'added' },
    ]);
  });

  it('begins with the manifest', () => {
    expect(firstFile(listFiles([file('a.js'), file('package.json')], undefined))).toBe('package.json');
    expect(firstFile([])).toBeUndefined();
  });
});

describe('diffRows', () => {
  const numbered = (...changed: number[]) =>
    Array.from(
      { length: 20 },
      (_, index) => `line ${index + 1}${changed.includes(index + 1) ? ' changed' : ''}\n`,
    ).join('');

  it('numbers both sides and hides what is far from a change', () => {
    const rows = diffRows(numbered(), numbered(10)) ?? [];
    expect(rows[0]).toEqual({ kind: 'gap', lines: 6 });
    expect(rows.filter((row) => row.kind === 'removed' || row.kind === 'added')).toEqual([
      { kind: 'removed', before: 10, after: null, text: 'line 10' },
      { kind: 'added', before: null, after: 10, text: 'line 10 changed' },
    ]);
    expect(rows.at(-1)).toEqual({ kind: 'gap', lines: 7 });
    expect(rows).toHaveLength(10);
  });

  it('has nothing to tell of equal texts but that they are the same', () => {
    expect((diffRows('a\n', 'a\n') ?? []).every((row) => row.kind === 'same' || row.kind === 'gap')).toBe(true);
  });
});

describe('highlightLines', () => {
  it('closes and begins anew what goes over several lines', () => {
    const lines = highlightLines('/* a\nb */\nconst c = "<b>";', 'x.js');
    expect(lines).toHaveLength(3);
    expect(lines[0]).toMatch(/^<span class="hljs-comment">.*<\/span>$/);
    expect(lines[1]).toMatch(/^<span class="hljs-comment">b \*\/<\/span>$/);
    expect(lines[2]).not.toContain('<b>');
  });

  it('shows files of unknown kinds as they are', () => {
    expect(highlightLines('a < b', 'notes.unknown')).toEqual(['a &#60; b']);
  });
});
