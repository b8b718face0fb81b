import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { GatehouseError } from '../../contract/errors.ts';
import { DocumentSplitter } from './document-splitter.ts';
import { defaultUploadLimits } from './upload-limits.ts';

/** Feeds a document in chunks that end at the given places; answers the rest and the diverted data by attachment. */
function split(text: string, cuts: readonly number[] = [], size = 1_000_000) {
  const bytes = Buffer.from(text);
  const splitter = new DocumentSplitter({ ...defaultUploadLimits.document, size });
  const data = new Map<string, Buffer[]>();
  const ended = new Set<string>();
  let from = 0;
  for (const cut of [...cuts.filter((cut) => cut < bytes.length).toSorted((a, b) => a - b), bytes.length]) {
    for (const piece of splitter.push(bytes.subarray(from, cut))) {
      data.set(piece.attachment, [...(data.get(piece.attachment) ?? []), Buffer.from(piece.bytes)]);
      if (piece.last) ended.add(piece.attachment);
    }
    from = cut;
  }
  const texts = [...data].map(([attachment, pieces]) => [attachment, Buffer.concat(pieces).toString('utf8')]);
  return { rest: splitter.end(), data: Object.fromEntries(texts) as Record<string, string>, ended };
}

function messageOf(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    if (error instanceof GatehouseError) return error.message;
    throw error;
  }
  throw new Error('it was accepted');
}

describe('DocumentSplitter', () => {
  it('joins what escape sequences cut an attachment into', () => {
    const splitter = new DocumentSplitter(defaultUploadLimits.document);
    const text = `a\n"/b${'\n'.repeat(1000)}\u{1F600}"`;
    const json = JSON.stringify({ _attachments: { x: { data: text } } });
    const pieces = splitter.push(Buffer.from(json));
    expect(pieces).toEqual([{ attachment: 'x', bytes: Buffer.from(text), last: true }]);
    expect(splitter.end()).toEqual({ _attachments: { x: { data: '' } } });
  });

  it('keeps no lists in the place of deprecations, and counts what it keeps', () => {
    const list = `[${'[],'.repeat(50_000)}[]]`;
    const lists = `{"versions":{"1.0.0":{},"1.0.1":{"deprecated":${list}},"1.0.2":{"deprecated":${list}}}}`;
    expect(messageOf(() => split(lists))).toContain('versions["1.0.1"].deprecated is not a text');
    const splitter = new DocumentSplitter(defaultUploadLimits.document);
    const [start, next] = [`{"versions":{"1.0.0":{"a":${list}}`, `,"1.0.1":{"deprecated":"${'x'.repeat(100_000)}"}`];
    splitter.push(Buffer.from(start));
    expect(splitter.held).toBeGreaterThan(50_000 * 32);
    const before = splitter.held;
    splitter.push(Buffer.from(next));
    expect(splitter.held - before).toBeGreaterThan(100_000);
  });

  it('hands out attachment data and leaves everything else to be parsed', () => {
    const document = { name: 'a', _attachments: { 'a-1.0.0.tgz': { content_type: 'x', data: 'QUJD', length: 3 } } };
    const { rest, data, ended } = split(JSON.stringify(document));
    expect(data).toEqual({ 'a-1.0.0.tgz': 'QUJD' });
    expect(ended).toEqual(new Set(['a-1.0.0.tgz']));
    expect(rest).toEqual({ name: 'a', _attachments: { 'a-1.0.0.tgz': { content_type: 'x', data: '', length: 3 } } });
  });

  it('agrees with JSON.parse for any document and any way to cut it into chunks', () => {
    const attachments = fc.dictionary(
      fc.string({ minLength: 1, maxLength: 20 }).filter((key) => key !== '__proto__'),
      fc.record({ data: fc.oneof(fc.base64String(), fc.string({ unit: 'grapheme' })), length: fc.nat() }),
      { maxKeys: 3 },
    );
    const document = fc.record({
      before: fc.jsonValue({ maxDepth: 4 }),
      _attachments: attachments,
      data: fc.string(),
      nested: fc.record({ _attachments: fc.constant({ x: { data: 'stays' } }) }),
    });
    fc.assert(
      fc.property(document, fc.array(fc.nat(400)), fc.boolean(), (value, cuts, escaped) => {
        const text = JSON.stringify(value, null, escaped ? 2 : 0);
        const written = escaped ? text.replaceAll('/', '\\/') : text;
        const { rest, data } = split(written, cuts);
        const expected = Object.fromEntries(Object.entries(value._attachments).map(([key, { data: d }]) => [key, d]));
        for (const [key, text_] of Object.entries(expected)) expect(data[key] ?? '').toBe(text_);
        const emptied = Object.fromEntries(
          Object.entries(value._attachments).map(([key, attachment]) => [key, { ...attachment, data: '' }]),
        );
        expect(rest).toEqual(JSON.parse(JSON.stringify({ ...value, _attachments: emptied })));
      }),
      { numRuns: 300 },
    );
  });

  it('joins escape sequences that a chunk boundary cuts, surrogate pairs too', () => {
    const text = '{"_attachments":{"b.sigstore":{"data":"\\ud83d\\ude00\\u0041\\/\\n"}}}';
    for (let cut = 1; cut < text.length; cut += 1) {
      expect(split(text, [cut]).data).toEqual({ 'b.sigstore': '😀A/\n' });
    }
  });

  it('leaves data alone that is not the string of an attachment', () => {
    for (const text of [
      '{"_attachments":{"a":{"data":5}}}',
      '{"_attachments":{"a":{"data":{"data":"x"}}}}',
      '{"_attachments":[{"data":"x"}]}',
      '{"versions":{"a":{"data":"x"}}}',
      '["_attachments",{"a":{"data":"x"}}]',
      '{"x":"_attachments","a":{"b":{"data":"x"}}}',
    ]) {
      const { rest, data } = split(text);
      expect(data).toEqual({});
      expect(rest).toEqual(JSON.parse(text));
    }
  });

  it('finds attachments whose keys are written with escapes', () => {
    const { data } = split('{"\\u005fattachments":{"a.tgz":{"d\\u0061ta":"QQ=="}}}');
    expect(data).toEqual({ 'a.tgz': 'QQ==' });
  });

  it.each([
    ['{"a":', 'ends in the middle'],
    ['{"_attachments":{"a":{"data":"QQ', 'ends in the middle'],
    ['', 'Invalid json'],
    ['}', 'closes more than it opens'],
    ['{"a":tru}', 'Invalid json'],
    ['{"a":1}{"b":2}', 'Invalid json'],
    ['{"_attachments":{"a":{"data":"x","data":"y"}}}', 'twice'],
    ['{"_attachments":{"a":{"data":"x"},"a":{"data":"y"}}}', 'twice'],
    ['{"_attachments":{"a":{"data":"\\q"}}}', 'escape sequence'],
    ['['.repeat(200) + ']'.repeat(200), 'nested deeper'],
    [`{"${'k'.repeat(2000)}":1}`, 'key that is too long'],
  ])('refuses %.40s', (text, reason) => {
    expect(messageOf(() => split(text))).toContain(reason);
  });

  it('refuses text that is not UTF-8', () => {
    const splitter = new DocumentSplitter({ ...defaultUploadLimits.document, size: 1000 });
    splitter.push(Buffer.from([0x22, 0xff, 0xfe, 0x22]));
    expect(messageOf(() => splitter.end())).toContain('UTF-8');
  });

  it('keeps of every manifest but the first only whether it is deprecated', () => {
    const versions = {
      '1.0.0': { name: 'a', version: '1.0.0', deprecated: 'old' },
      '1.1.0': { name: 'a', version: '1.1.0', deprecated: 'too' },
      '1.2.0': { name: 'a', version: '1.2.0' },
      '1.3.0': 'no manifest',
    };
    const { rest } = split(JSON.stringify({ name: 'a', versions, time: {} }), [20, 60, 100]);
    expect(rest).toEqual({
      name: 'a',
      versions: { ...versions, '1.1.0': { deprecated: 'too' }, '1.2.0': {} },
      time: {},
    });
  });

  it('bounds what is parsed in one go: by bytes, and by the number of values', () => {
    const parse = (text: string, limits: object) => () => {
      const splitter = new DocumentSplitter({ ...defaultUploadLimits.document, ...limits });
      splitter.push(Buffer.from(text));
      return splitter.end();
    };
    const many = (count: number) => `[${'{},'.repeat(count)}{}]`;
    expect(messageOf(parse(many(100), { values: 100 }))).toContain('more than 100 values');
    expect(messageOf(parse(`{"versions":{"1.0.0":{"a":${many(100)}}}}`, { values: 100 }))).toContain('values');
    expect(messageOf(parse(`{"versions":{"1.0.0":{"a":"${'x'.repeat(500)}"}}}`, { part: 400 }))).toContain('400 bytes');
    const apart = Object.fromEntries(Array.from({ length: 15 }, (_, patch) => [`1.0.${patch}`, { a: [1, 2, 3] }]));
    expect(parse(JSON.stringify({ versions: apart }), { values: 100, part: 4000 })()).toBeDefined();
  });

  it('bounds what it keeps, and not what it hands out', () => {
    expect(messageOf(() => split(`{"readme":"${'x'.repeat(2000)}"}`, [], 1000))).toContain('larger than 1000 bytes');
    const { data } = split(`{"_attachments":{"a.tgz":{"data":"${'QUJD'.repeat(5000)}"}}}`, [300, 600], 1000);
    expect(data['a.tgz']).toHaveLength(20_000);
  });
});
