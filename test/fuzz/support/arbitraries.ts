import fc from 'fast-check';
import { hostileTexts } from './hostile-texts.ts';

const words = (text: string): string[] => text.trim().split(/\s+/);

/** The ways in which a text can stand in a path. */
const encodings: readonly ((text: string) => string)[] = [
  (text) => encodeURIComponent(text.toWellFormed()),
  (text) => encodeURIComponent(encodeURIComponent(text.toWellFormed())),
  (text) => [...Buffer.from(text)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join(''),
  (text) => [...Buffer.from(text)].map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`).join(''),
  (text) => text.replaceAll(/[^\u0021-\u007e]/g, '').replaceAll(/[?#]/g, ''),
  (text) =>
    text
      .replaceAll('.', '%2e')
      .replaceAll('/', '%2f')
      .replaceAll(/[^\u0021-\u007e]|[?#]/g, ''),
  (text) => text.replaceAll('/', '%5c').replaceAll(/[^\u0021-\u007e]|[?#]/g, ''),
  (text) =>
    text
      .replaceAll('/', '%c0%af')
      .replaceAll('.', '%c0%ae')
      .replaceAll(/[^\u0021-\u007e]|[?#]/g, ''),
];

const brokenEscapes = words('% %0 %zz %u002e %c0 %c0%ae %ff %ed%a0%80 %f5%80%80%80 %00 %2 %%32%65 %25%32%65');

export const hostileText = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...hostileTexts) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 60 }) },
  { weight: 1, arbitrary: fc.string({ unit: 'grapheme', maxLength: 40 }) },
);

/** Pieces that lead somewhere in the world of these tests. */
const validPieces = words('1 2 3 pkg @scope%2fpkg @scope/pkg 1.0.0 latest outsider pkg-1.0.0.tgz local%2Fopen');

/** A piece of a path as it goes over the wire: printable ASCII without what would end the path. */
export const pathPiece = fc
  .oneof(
    {
      weight: 5,
      arbitrary: fc.tuple(hostileText, fc.constantFrom(...encodings)).map(([text, encode]) => encode(text)),
    },
    { weight: 1, arbitrary: fc.constantFrom(...brokenEscapes) },
    { weight: 3, arbitrary: fc.constantFrom(...validPieces) },
  )
  .map((piece) => piece.replaceAll(/[^\u0021-\u007e]/g, '').slice(0, 6000));

/** JSON that is legal and means harm. */
export const hostileJson: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 3, arbitrary: hostileText },
  {
    weight: 2,
    arbitrary: fc.constantFrom<unknown>(
      null,
      true,
      0,
      -1,
      1.5,
      1e308,
      Number.MAX_SAFE_INTEGER,
      [],
      {},
      [[]],
      [null],
      [{}],
      { '': '' },
      { length: 5 },
      { toString: 1 },
    ),
  },
  { weight: 2, arbitrary: fc.array(hostileText, { maxLength: 4 }) },
  {
    weight: 2,
    arbitrary: fc.dictionary(hostileText, fc.oneof(hostileText, fc.jsonValue({ maxDepth: 2 })), {
      maxKeys: 4,
      noNullPrototype: false,
    }),
  },
  { weight: 2, arbitrary: fc.jsonValue({ maxDepth: 4 }) },
);

/** Fields that the API knows, with values that it does not. */
const fieldNames = words(`
  name path username email visibility access_level user_id group_id deploy_access_levels approval_rules
  required_approval_count tier external_url expires_at scopes description namespace_id parent_id state version
  versions dist-tags _attachments _id users maintainers password type group_access content permissions package
  requires dependencies
`);
export const hostileBody = fc.oneof(
  {
    weight: 4,
    arbitrary: fc
      .dictionary(fc.constantFrom(...fieldNames), hostileJson, { maxKeys: 6, noNullPrototype: false })
      .map((value) => JSON.stringify(value)),
  },
  { weight: 2, arbitrary: hostileJson.map((value) => JSON.stringify(value) ?? '') },
  { weight: 1, arbitrary: fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes).toString('latin1')) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      '{',
      '[',
      '"',
      '{"a":',
      '{"a":1}}',
      '\ufeff{}',
      '{"__proto__":{"isAdmin":true}}',
      '{"a":1,"a":2}',
      '['.repeat(100_000),
      '{"a":'.repeat(50_000),
      `"${'x'.repeat(200_000)}"`,
      '1'.repeat(10_000),
      '{"constructor":{"prototype":{"x":1}}}',
      '\u0000',
      'name=a&name[]=b&name[c]=d',
      'a[b][c][d]=1'.repeat(100),
      'a[]=1&'.repeat(5000),
      `${'[a]'.repeat(3000)}=1`,
      '%',
      '%zz=%zz',
    ),
  },
);

export const contentType = fc.constantFrom(
  'application/json',
  'application/x-www-form-urlencoded',
  'text/plain',
  'application/octet-stream',
  'multipart/form-data; boundary=x',
  'application/json; charset=utf-16',
  '',
  'APPLICATION/JSON',
  'application/vnd.npm.install-v1+json',
  'a/b;'.repeat(100),
);

/** A header's value that HTTP allows. */
const headerValue = hostileText.map((text) => text.replaceAll(/[^\u0020-\u007e]/g, '').slice(0, 2000));
const headerNames = words(`
  accept accept-encoding if-none-match if-modified-since if-unmodified-since if-range range content-encoding
  npm-command npm-otp npm-session user-agent referer x-forwarded-for x-forwarded-host x-forwarded-proto
  forwarded cookie sudo private-token job-token deploy-token authorization x-http-method-override
  accept-language pacote-req-type npm-auth-type __proto__ constructor
`);
const knownValues = [
  'gzip',
  'br',
  'zstd',
  'deflate',
  'gzip, gzip',
  'bytes=0-',
  'bytes=-1',
  'bytes=5-2',
  'bytes=0-0,1-1',
  `bytes=${'0-0,'.repeat(500)}`,
  'bytes=99999999999999999999-',
  '*',
  'W/"x"',
  '"x"',
  '"x",'.repeat(800),
  'Basic',
  'Basic Og==',
  'Basic !!!',
  'Bearer',
  'Bearer  ',
  'Bearer glpat-aaaaaaaaaaaaaaaaaaaa',
  'Negotiate x',
  'Mon, 01 Jan 2100 00:00:00 GMT',
  'not a date',
  'deprecate',
  'root',
  '1',
  '-1',
  'application/vnd.npm.install-v1+json;q=0',
  'br;q=0, gzip;q=0, *;q=0',
  `br${' '.repeat(2000)}x`,
] as const;
export const hostileHeaders = fc.dictionary(
  fc.constantFrom(...headerNames),
  fc.oneof(fc.constantFrom<string>(...knownValues), headerValue),
  { maxKeys: 4, noNullPrototype: true },
);

const queryNames = words(`
  page per_page sort order_by search text size from private_token access_token version user write states name
  created_after quality a[b] a[] a[b][] __proto__[x] constructor[prototype][x]
`);
export const queryText = fc.oneof(
  fc.constant(''),
  fc
    .array(fc.tuple(fc.constantFrom('', ...queryNames), hostileText), { maxLength: 4 })
    .map((pairs) =>
      pairs.length === 0
        ? ''
        : `?${pairs.map(([key, value]) => `${encodeURIComponent(key)}=${encodeURIComponent(value.toWellFormed())}`).join('&')}`,
    ),
  fc.constantFrom(
    '?',
    '?%',
    '?%zz=%zz',
    '?a=%ff',
    `?${'a[]='.repeat(1000)}`,
    `?${'a[b]'.repeat(500)}=1`,
    `?text=${'a'.repeat(5000)}`,
    '?per_page=-1&page=-1',
    '?page=99999999999999999999',
    '?text=%22%22%22',
    '?text=NEAR(a%2Cb)*',
    '?size=1e9&from=1e9',
  ),
);
