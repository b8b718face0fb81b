import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import type { Worker } from 'node:worker_threads';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { makePublishDocument } from '../../../test/support/publish-document.ts';
import { integrityOf, makeTar, makeTarball, sha1Of } from '../../../test/support/tarballs.ts';
import { GatehouseError } from '../../contract/errors.ts';
import { createSigningKey, verifyVersion } from './manifest-signer.ts';
import type { ReceivedTarball } from './receive-upload.ts';
import { TarballExaminer } from './tarball-examiner.ts';
import type { ExaminedStream } from './tarball-examiner.ts';
import { TarballInspector } from './tarball-inspector.ts';
import type { TarballDigests } from './tarball-port.ts';
import { defaultInspectionLimits, defaultUploadLimits } from './upload-limits.ts';
import { integrityOf as integrityOfHex } from '../../lib/integrity.ts';

const threads: Worker[] = vi.hoisted(() => []);
vi.mock('node:worker_threads', async (original) => {
  const actual = await original<{ Worker: typeof Worker }>();
  return {
    ...actual,
    Worker: class extends actual.Worker {
      constructor(...args: ConstructorParameters<typeof Worker>) {
        super(...args);
        threads.push(this);
      }
    },
  };
});

// A busy machine takes its time to start a thread.
vi.setConfig({ testTimeout: 30_000 });

const key = createSigningKey(0);
let uploads = 1;
let examiner: TarballExaminer;
beforeEach(() => {
  uploads = 1;
  examiner = new TarballExaminer({ key, uploads: () => uploads });
});
afterEach(() => examiner.close());

/** An upload whose bytes are in memory; `inspectedHere` tells whether this thread looked into it. */
class Upload implements ReceivedTarball {
  readonly kind = 'tarball';
  readonly limits = defaultInspectionLimits;
  inspectedHere = false;
  streamed: ExaminedStream | undefined;
  learned: TarballDigests | undefined;
  readonly writer;
  readonly #bytes: Buffer;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
    this.writer = {
      size: bytes.length,
      write: () => Promise.resolve(),
      held: () => bytes,
      written: () => Readable.from([bytes.subarray(0, 100), bytes.subarray(100)]),
      learn: (digests: TarballDigests) => {
        this.learned = digests;
      },
      digests: () => ({ sha512: hexOf(bytes), sha1: sha1Of(bytes), size: bytes.length }),
      keep: () => Promise.resolve(),
      keepWithCommit: () => Promise.resolve(() => undefined),
      discard: () => Promise.resolve(),
    };
  }

  /** Has it arrive in chunks, as from a socket. */
  async arrive(chunkSize = 48 * 1024): Promise<this> {
    for (let from = 0; from < this.#bytes.length; from += chunkSize) {
      await this.streamed?.write(this.#bytes.subarray(from, from + chunkSize));
    }
    return this;
  }

  /** Looked into only when it is asked. */
  readonly inspector = {
    result: () => this.inspect(),
    foundAtOnce: () => Promise.reject(new Error('Nobody needs the files as they came.')),
  };

  async inspect() {
    this.inspectedHere = true;
    const inspector = new TarballInspector(this.limits);
    await inspector.write(this.#bytes);
    return inspector.result();
  }
}

const hexOf = (bytes: Buffer) => Buffer.from(integrityOf(bytes).slice('sha512-'.length), 'base64').toString('hex');
const sample = async (version: string) =>
  new Upload(await makeTarball({ name: 'sample', version }, { 'README.md': `# ${version}`, 'index.js': version }));

/** Has the thread start, and waits until it takes work. */
async function startThread(): Promise<void> {
  uploads = 8;
  await vi.waitFor(
    async () => {
      const upload = await sample('0.0.0');
      await examiner.examine(upload, 'sample@0.0.0');
      expect(upload.inspectedHere).toBe(false);
    },
    { timeout: 20_000, interval: 20 },
  );
}

describe('the examiner', () => {
  test('looks at an upload that comes alone without a thread', async () => {
    const upload = await sample('1.0.0');
    const { digests, inspection } = await examiner.examine(upload, 'sample@1.0.0');
    expect(upload.inspectedHere).toBe(true);
    expect(digests).toEqual(upload.writer.digests());
    expect(inspection.packageJson).toEqual({ name: 'sample', version: '1.0.0' });
  });

  test('finds on its thread what it finds here, for many at once', async () => {
    await startThread();
    const versions = Array.from({ length: 40 }, (_, index) => `1.${index}.0`);
    const seen = await Promise.all(
      versions.map(async (version) => {
        const upload = await sample(version);
        const examination = await examiner.examine(upload, `sample@${version}`);
        return { version, upload, examination };
      }),
    );
    expect(seen.some(({ upload }) => !upload.inspectedHere)).toBe(true);
    for (const { version, upload, examination } of seen) {
      const { signature, ...rest } = examination;
      expect(rest).toEqual({ digests: upload.writer.digests(), inspection: await upload.inspect() });
      expect(rest.inspection.readme).toEqual({ filename: 'README.md', text: `# ${version}` });
      const integrity = integrityOfHex(rest.digests.sha512);
      expect(verifyVersion(key.publicKey, { name: 'sample', version, integrity, signature })).toBe(true);
      expect(upload.learned ?? rest.digests).toEqual(rest.digests);
    }
  });

  test('refuses on its thread with the words that it has here', async () => {
    await startThread();
    const escaping = new Upload(await makeTar([{ name: 'package/../../escape', content: 'x' }]));
    const garbage = new Upload(Buffer.from('no tarball at all'));
    const refusals = await Promise.all(
      [escaping, garbage].map((upload) => examiner.examine(upload, 'sample@1.0.0').catch((error: unknown) => error)),
    );
    expect([escaping.inspectedHere, garbage.inspectedHere]).toEqual([false, false]);
    uploads = 1;
    for (const [index, upload] of [escaping, garbage].entries()) {
      const here = await examiner.examine(upload, 'sample@1.0.0').catch((error: unknown) => error);
      expect(refusals[index]).toBeInstanceOf(GatehouseError);
      expect(refusals[index]).toMatchObject({ code: 'invalid_request', message: (here as Error).message });
    }
  });

  test('answers all that its thread had not done when it ends, and goes on with another', async () => {
    await startThread();
    const uploadsLeft = await Promise.all(['1.0.0', '2.0.0', '3.0.0'].map(sample));
    const examined = Promise.all(uploadsLeft.map((upload) => examiner.examine(upload, 'sample@1.0.0')));
    await threads.at(-1)?.terminate();
    expect((await examined).map(({ digests }) => digests.sha512)).toEqual(
      uploadsLeft.map((upload) => upload.writer.digests().sha512),
    );
    const before = threads.length;
    await startThread();
    expect(threads).toHaveLength(before + 1);
  });

  test('needs no thread any more once it is closed', async () => {
    await startThread();
    await examiner.close();
    const upload = await sample('1.0.0');
    expect((await examiner.examine(upload, 'sample@1.0.0')).digests).toEqual(upload.writer.digests());
    expect(upload.inspectedHere).toBe(true);
    expect(examiner.stream(32 * 1024 * 1024, defaultInspectionLimits)).toBeUndefined();
  });
});

describe('a whole document', () => {
  const limits = defaultUploadLimits;
  const publisher = { userId: 7, person: { name: 'dev', email: 'dev@example.test' } };
  const ask = (body: string, nameInUrl = 'sample') =>
    examiner.read({ body: new Uint8Array(Buffer.from(body)), limits, nameInUrl, publisher });

  async function documentOf(version: string, files?: Readonly<Record<string, string>>): Promise<string> {
    return JSON.stringify(await makePublishDocument({ name: 'sample', version, ...(files ? { files } : {}) }));
  }

  test('is read if it is small and others are under way, by a thread that runs', async () => {
    expect(examiner.readsWhole(1000)).toBe(false);
    await startThread();
    expect([examiner.readsWhole(1000), examiner.readsWhole(undefined), examiner.readsWhole(1_000_000)]).toEqual([
      true,
      false,
      false,
    ]);
    uploads = 0;
    expect(examiner.readsWhole(1000)).toBe(false);
  });

  test('becomes a version with its bytes, or a refusal that knows what it is about', async () => {
    const answers = await Promise.all(
      ['1.0.0', '2.0.0'].map(async (version) => ask(await documentOf(version, { 'README.md': version }))),
    );
    for (const [index, answer] of answers.entries()) {
      if (answer.kind !== 'prepared') throw new Error(answer.kind);
      const { prepared, bytes } = answer;
      expect(prepared.digests).toMatchObject({ sha1: sha1Of(Buffer.from(bytes)), size: bytes.length });
      expect(prepared).toMatchObject({ name: 'sample', tags: ['latest'], version: { publisherId: 7 } });
      expect(JSON.parse(prepared.version.manifest)).toMatchObject({
        version: `${index + 1}.0.0`,
        _npmUser: { name: 'dev' },
      });
      const { integrity, signature } = prepared.version;
      const version = `${index + 1}.0.0`;
      expect(verifyVersion(key.publicKey, { name: 'sample', version, integrity, signature })).toBe(true);
    }
    const wrong = JSON.parse(await documentOf('3.0.0')) as { _attachments: Record<string, { length: number }> };
    for (const attachment of Object.values(wrong._attachments)) attachment.length = 1;
    expect(await ask(JSON.stringify(wrong))).toMatchObject({
      kind: 'refused',
      code: 'invalid_request',
      subject: { name: 'sample', version: '3.0.0' },
    });
    expect(await ask('{')).toMatchObject({ kind: 'refused', subject: undefined });
  });

  test('is left to be read in the usual way if it is no publish, holds long texts, or the thread ends', async () => {
    expect(await ask('{"versions":{}}')).toEqual({ kind: 'elsewhere' });
    const long = { 'README.md': 'x'.repeat(300_000) };
    expect(await ask(await documentOf('1.0.0', long))).toEqual({ kind: 'elsewhere' });
    const documents = [await documentOf('1.0.0'), await documentOf('2.0.0')];
    // Before they are sent, as the thread might be done with them otherwise.
    const ended = threads.at(-1)?.terminate();
    const asked = documents.map((document) => ask(document));
    await ended;
    expect(await Promise.all(asked)).toEqual([{ kind: 'elsewhere' }, { kind: 'elsewhere' }]);
    await examiner.close();
    expect(await ask(await documentOf('1.0.0'))).toEqual({ kind: 'elsewhere' });
  });

  test('that takes as much memory as its size allows does not end the thread, with many of them at once', async () => {
    await startThread();
    const before = threads.length;
    const objects = `{"versions":[${'{},'.repeat(80_000)}{}]}`;
    const keys = `{"versions":{${Array.from({ length: 18_000 }, (_, key) => `"key${key}":[]`).join()}}}`;
    const bomb = JSON.stringify(
      await makePublishDocument({
        name: 'sample',
        version: '1.0.0',
        tarball: await makeTarball({
          name: 'sample',
          version: '1.0.0',
          x: Array.from({ length: 300_000 }, () => ({})),
        }),
      }),
    );
    const escaped = (file: string): string =>
      `{"name":"sample","_attachments":{"${file}":{"data":"${'\\/'.repeat(125_000)}"}}}`;
    const bodies = [objects, keys, bomb, escaped('sample-1.0.0.tgz'), escaped('sample-1.0.0.sigstore')];
    for (const body of bodies) expect(body.length).toBeLessThan(256 * 1024);
    const answers = await Promise.all(
      Array.from({ length: 60 }, (_, index) => ask(bodies[index % bodies.length] ?? '')),
    );
    expect(answers.slice(0, 5).map(({ kind }) => kind)).toEqual([
      'elsewhere',
      'elsewhere',
      'elsewhere',
      'refused',
      'refused',
    ]);
    expect(threads).toHaveLength(before);
  });

  test('that takes long to unpack does not keep those waiting that come after it', async () => {
    await startThread();
    const tarball = await makeTarball({ name: 'sample', version: '1.0.0' }, { 'zeros.bin': Buffer.alloc(60_000_000) });
    const slow = JSON.stringify(await makePublishDocument({ name: 'sample', version: '1.0.0', tarball }));
    expect(slow.length).toBeLessThan(256 * 1024);
    const quick = await documentOf('2.0.0');
    const asked = Array.from({ length: 20 }, () => ask(slow));
    expect(await ask(quick)).toMatchObject({ kind: 'prepared' });
    expect(await Promise.all(asked)).toEqual(asked.map(() => ({ kind: 'elsewhere' })));
  });
});

describe('a large upload', () => {
  const size = 32 * 1024 * 1024;
  const large = (extra: Readonly<Record<string, Buffer>> = {}) =>
    makeTarball({ name: 'large', version: '1.0.0' }, { 'noise.bin': randomBytes(9 * 1024 * 1024), ...extra });

  function streamed(bytes: Buffer): Upload {
    const upload = new Upload(bytes);
    upload.streamed = examiner.stream(size, upload.limits);
    return upload;
  }

  test('is examined while it arrives, with what is found here', async () => {
    const bytes = await large({ 'README.md': Buffer.from('# Large') });
    const uploads = [streamed(bytes), streamed(bytes.subarray()), streamed(await sampleBytes())];
    const found = await Promise.all(
      uploads.map(async (upload) => examiner.examine(await upload.arrive(), 'large@1.0.0')),
    );
    for (const [index, upload] of uploads.entries()) {
      expect(upload.inspectedHere).toBe(false);
      expect(upload.learned).toEqual(upload.writer.digests());
      expect(found[index]).toMatchObject({ digests: upload.writer.digests(), inspection: await upload.inspect() });
    }
  });

  test('is one if its document is, and not otherwise', () => {
    expect(examiner.stream(undefined, defaultInspectionLimits)).toBeUndefined();
    expect(examiner.stream(1024 * 1024, defaultInspectionLimits)).toBeUndefined();
  });

  test('is refused with the words that a small one hears, and read to its end', async () => {
    const garbage = streamed(randomBytes(9 * 1024 * 1024));
    const bomb = streamed(await large({ 'zeros.bin': Buffer.alloc(40 * 1024 * 1024) }));
    bomb.streamed?.cancel();
    bomb.streamed = examiner.stream(size, { unpackedSize: 20 * 1024 * 1024, entries: 10 });
    await expect(examiner.examine(await garbage.arrive(), 'large@1.0.0')).rejects.toThrow(/not a gzipped tar archive/);
    await expect(examiner.examine(await bomb.arrive(), 'large@1.0.0')).rejects.toThrow(
      /unpacks to more than 20971520 bytes/,
    );
  });

  test('whose thread ends is read back from where it was written', async () => {
    const bytes = await large({ 'README.md': Buffer.from('# Large') });
    const first = streamed(bytes);
    const arriving = first.arrive();
    await threads.at(-1)?.terminate();
    const { digests, inspection } = await arriving.then((upload) => examiner.examine(upload, 'large@1.0.0'));
    expect(digests).toEqual(first.writer.digests());
    expect(inspection).toEqual(await first.inspect());
    const second = streamed(bytes);
    expect((await examiner.examine(await second.arrive(), 'large@1.0.0')).digests).toEqual(digests);
  });

  test('that begins while an idle thread is sent to rest gets another', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      const bytes = await large();
      await examiner.examine(await streamed(bytes).arrive(), 'large@1.0.0');
      const before = threads.length;
      vi.advanceTimersByTime(60_000);
      const next = streamed(bytes);
      expect(threads).toHaveLength(before + 1);
      expect((await examiner.examine(await next.arrive(), 'large@1.0.0')).digests).toEqual(next.writer.digests());
    } finally {
      vi.useRealTimers();
    }
  });

  test('with a readme that would fill the heap of the thread, among many that wait, is no trouble', async () => {
    const readme = Buffer.from(`${'x'.repeat(1_000_000)}…`);
    const bytes = await large({ 'README.md': readme });
    const uploads = Array.from({ length: 24 }, () => streamed(bytes));
    await Promise.all(uploads.map((upload) => upload.arrive()));
    const before = threads.length;
    for (const upload of uploads) {
      const { inspection } = await examiner.examine(upload, 'large@1.0.0');
      expect(inspection.readme?.text).toHaveLength(1_000_001);
    }
    expect(threads).toHaveLength(before);
  });
});

const sampleBytes = () => makeTarball({ name: 'large', version: '1.0.0' });
