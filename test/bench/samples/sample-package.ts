import { createHash } from 'node:crypto';
import { crc32, constants, deflateRawSync } from 'node:zlib';

/** A version as a publisher describes it, without `dist`. */
export interface SampleManifest {
  readonly name: string;
  readonly version: string;
  readonly [field: string]: unknown;
}

/** Numbers that look random and are the same on every run. */
export function seededNumbers(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const dependencyNames = [
  'chalk',
  'commander',
  'debug',
  'execa',
  'fast-glob',
  'lodash',
  'ms',
  'semver',
  'undici',
  'zod',
];

/**
 * A manifest of the usual kind, so that a packument of 100 versions with `dist` has some 150 KB.
 * @param padding further characters, for packages that say more about themselves
 */
export function sampleManifest(
  name: string,
  version: string,
  dependencies: Readonly<Record<string, string>> = defaultDependencies(version),
  padding = 0,
): SampleManifest {
  return {
    name,
    version,
    description: `${name} is what a registry serves while its speed is measured`,
    keywords: ['bench', 'packument'],
    license: 'MIT',
    type: 'module',
    main: './dist/index.js',
    types: './dist/index.d.ts',
    bin: { [name.replace(/^@[^/]*\//, '')]: './dist/cli.js' },
    engines: { node: '>=20' },
    repository: { type: 'git', url: `git+https://git.example.org/bench/${name}.git` },
    bugs: { url: `https://git.example.org/bench/${name}/issues` },
    author: { name: 'Bench Author', email: 'author@example.org' },
    scripts: { build: 'tsc -p tsconfig.json', test: 'node --test', prepublishOnly: 'npm run build && npm test' },
    dependencies,
    devDependencies: { typescript: '^5.9.0', prettier: '^3.6.0', '@types/node': '^24.0.0' },
    ...(padding > 0 ? { config: { notes: filler(padding) } } : {}),
  };
}

function defaultDependencies(version: string): Record<string, string> {
  return Object.fromEntries(dependencyNames.map((name, index) => [name, `^${index + 1}.${version.length}.0`]));
}

/** What package `index` of `count` depends on, so that all of them hang below the first, each on one other. */
export function treeDependencies(namePrefix: string, index: number, count: number): Record<string, string> {
  const below = [1, 2, 3].map((child) => index * 3 + child).filter((child) => child < count);
  return Object.fromEntries(below.map((child) => [`${namePrefix}-${child}`, '^1.0.0']));
}

/** Text with the entropy of prose: compresses about as source code does. */
export function filler(length: number, seed = 7): string {
  const next = seededNumbers(seed);
  const words: string[] = [];
  for (let size = 0; size < length; size += (words.at(-1)?.length ?? 0) + 1) {
    words.push(Math.floor(next() * 36 ** (2 + Math.floor(next() * 6))).toString(36));
  }
  return words.join(' ').slice(0, length);
}

/**
 * Makes many tarballs that differ in package.json alone, each in a fraction of a millisecond: the rest is compressed once. A registry
 * that looks into tarballs cannot be given the same bytes under two names.
 */
export class TarballMaker {
  readonly #tail: Buffer;
  readonly #compressedTail: Buffer;

  /** @param size bytes that a tarball shall have, more or less */
  constructor(size: number) {
    // Grows the content until the compressed bytes are enough; a ratio is found on a first part.
    const probe = filler(64 * 1024);
    const ratio = deflateRawSync(probe).length / probe.length;
    const content = Buffer.from(filler(Math.max(512, Math.round((size - 700) / ratio))));
    this.#tail = Buffer.concat([tarEntry('package/dist/index.js', content), Buffer.alloc(1024)]);
    this.#compressedTail = deflateRawSync(this.#tail);
  }

  make(manifest: SampleManifest): Buffer {
    const first = tarEntry('package/package.json', Buffer.from(JSON.stringify(manifest, undefined, 2)));
    const trailer = Buffer.alloc(8);
    trailer.writeUInt32LE(crc32(this.#tail, crc32(first)), 0);
    trailer.writeUInt32LE(first.length + this.#tail.length, 4);
    return Buffer.concat([
      gzipHeader,
      deflateRawSync(first, { finishFlush: constants.Z_SYNC_FLUSH }),
      this.#compressedTail,
      trailer,
    ]);
  }
}

const gzipHeader = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255]);

/** A tar header with content, padded to full blocks. */
export function tarEntry(path: string, content: Buffer): Buffer {
  return Buffer.concat([tarHeader(path, content.length), content, Buffer.alloc((512 - (content.length % 512)) % 512)]);
}

/** @param size bytes of the content that will follow */
export function tarHeader(path: string, size: number): Buffer {
  const header = Buffer.alloc(512);
  header.write(path, 0);
  header.write('0000644\0', 100);
  header.write('0000000\0', 108);
  header.write('0000000\0', 116);
  header.write(`${size.toString(8).padStart(11, '0')}\0`, 124);
  header.write('14625024000\0', 136);
  header.write('        ', 148);
  header.write('0', 156);
  header.write('ustar\u000000', 257);
  let sum = 0;
  for (const byte of header) sum += byte;
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  return header;
}

/** The document that npm sends to publish a version: everything but the base64 data, which comes between the two parts. */
export function publishFrame(
  manifest: SampleManifest,
  tarball: { readonly sha512: string; readonly sha1: string; readonly size: number },
  registry: string,
): { before: string; after: string } {
  const { name, version } = manifest;
  const file = `${name}-${version}.tgz`;
  const mark = '\u0001';
  const document = {
    _id: name,
    name,
    description: manifest['description'],
    'dist-tags': { latest: version },
    versions: {
      [version]: {
        ...manifest,
        _id: `${name}@${version}`,
        readme: '',
        dist: {
          integrity: `sha512-${Buffer.from(tarball.sha512, 'hex').toString('base64')}`,
          shasum: tarball.sha1,
          tarball: `${registry}/${name}/-/${file}`,
        },
      },
    },
    access: null,
    _attachments: { [file]: { content_type: 'application/octet-stream', data: mark, length: tarball.size } },
  };
  const [before = '', after = ''] = JSON.stringify(document).split(JSON.stringify(mark).slice(1, -1));
  return { before, after };
}

/** A whole publish document. @param registry address that the document names, without a trailing slash */
export function publishDocument(manifest: SampleManifest, tarball: Buffer, registry: string): Buffer {
  const digests = {
    sha512: createHash('sha512').update(tarball).digest('hex'),
    sha1: createHash('sha1').update(tarball).digest('hex'),
    size: tarball.length,
  };
  const { before, after } = publishFrame(manifest, digests, registry);
  return Buffer.from(before + tarball.toString('base64') + after);
}
