import { describe, expect, it } from 'vitest';
import { diffRows, type DiffRow } from './diff-rows.ts';
import { firstFile, listFiles } from './file-changes.ts';
import { highlightLines } from './highlight.ts';
import { markHtml } from './mark-html.ts';

const file = (path: string, sha1 = 'same') => ({ path, size: 1, executable: false, sha1 });

describe('listFiles', () => {
  it('shows every file of one version, and the differing ones of two', () => {
    const files = [file('a.js'), file('b.js', 'new'), file('d.js')];
    expect(listFiles(files, undefined)).toHaveLength(3);
    expect(listFiles(files, [file('a.js'), file('b.js', 'old'), file('c.js')])).toEqual([
      { path: 'b.js', size: 1, change: 'modified' },
      { path: 'c.js', size: 1, change: 'deleted' },
      { path: 'd.js', size: 1, change: 'added' },
    ]);
  });

  it('begins with the manifest', () => {
    expect(firstFile(listFiles([file('a.js'), file('package.json')], undefined))).toBe('package.json');
    expect(firstFile([])).toBeUndefined();
  });

  it('begins a comparison with what differs besides the manifest', () => {
    const manifests = [file('package.json', 'new'), file('package.json', 'old')] as const;
    const [after, before] = [
      [file('index.js', 'new'), manifests[0]],
      [file('index.js', 'old'), manifests[1]],
    ];
    expect(firstFile(listFiles(after, before))).toBe('index.js');
    expect(firstFile(listFiles([manifests[0]], [manifests[1]]))).toBe('package.json');
  });
});

describe('diffRows', () => {
  const linesIn = (row: DiffRow | undefined) => (row?.kind === 'gap' ? row.lines.map((line) => line.after) : undefined);
  const numbered = (...changed: number[]) =>
    Array.from(
      { length: 20 },
      (_, index) => `line ${index + 1}${changed.includes(index + 1) ? ' changed' : ''}\n`,
    ).join('');

  it('numbers both sides and hides what is far from a change', () => {
    const rows = diffRows(numbered(), numbered(10)) ?? [];
    expect(linesIn(rows[0])).toEqual([1, 2, 3, 4, 5, 6]);
    expect(rows.filter((row) => row.kind === 'removed' || row.kind === 'added')).toEqual([
      { kind: 'removed', before: 10, after: null, text: 'line 10', marks: [] },
      { kind: 'added', before: null, after: 10, text: 'line 10 changed', marks: [[7, 15]] },
    ]);
    expect(linesIn(rows.at(-1))).toEqual([14, 15, 16, 17, 18, 19, 20]);
    expect(rows).toHaveLength(10);
  });

  const marked = (row: DiffRow | undefined) =>
    row?.kind === 'gap' ? [] : row?.marks?.map(([start, end]) => row.text.slice(start, end));

  it('marks the words and versions that differ, and nothing in a line that was written anew', () => {
    const [was, is] = diffRows('  "version": "1.0.0",\n', '  "version": "1.1.0",\n') ?? [];
    expect([was, is].map(marked)).toEqual([['1.0.0'], ['1.1.0']]);
    const [older, newer] = diffRows('"kettle": "^1.2.0-beta.1",\n', '"kettle": "^2.0.0-beta.2",\n') ?? [];
    expect([older, newer].map(marked)).toEqual([['1.2.0-beta.1'], ['2.0.0-beta.2']]);
    const anew = diffRows('export const a = 1;\n', 'throw new Error("no");\n') ?? [];
    expect(anew.map((row) => row.kind !== 'gap' && row.marks)).toEqual([undefined, undefined]);
  });

  it('marks where very long lines differ, from the first difference to the last', () => {
    const line = (middle: string) => `${'a'.repeat(3000)}${middle}${'b'.repeat(3000)}`;
    const [was, is] = diffRows(line('x'), line('yes')) ?? [];
    expect([was, is].map((row) => row?.kind !== 'gap' && row?.marks)).toEqual([[[3000, 3001]], [[3000, 3003]]]);
  });

  it('has nothing to tell of equal texts but that they are the same', () => {
    expect((diffRows('a\n', 'a\n') ?? []).every((row) => row.kind === 'same' || row.kind === 'gap')).toBe(true);
  });
});

describe('markHtml', () => {
  it('counts characters of the text and leaves tags nested', () => {
    expect(markHtml('a<span class="x">b&lt;c</span>d', [[1, 3]])).toBe('a<span class="x"><mark>b&lt;</mark>c</span>d');
    expect(markHtml('a<i>b</i>c', [[0, 3]])).toBe('<mark>a</mark><i><mark>b</mark></i><mark>c</mark>');
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
