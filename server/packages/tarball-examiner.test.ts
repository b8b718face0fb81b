import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import type { Worker } from 'node:worker_threads';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { integrityOf, makeTar, makeTarball, sha1Of } from '../../test/support/tarballs.ts';
import { GatehouseError } from '../contract/errors.ts';
import { createSigningKey, verifyVersion } from './manifest-signer.ts';
import type { ReceivedTarball } from './receive-upload.ts';
import { TarballExaminer } from './tarball-examiner.ts';
import type { ExaminedStream } from './tarball-examiner.ts';
import { TarballInspector } from './tarball-inspector.ts';
import type { TarballDigests } from './tarball-port.ts';
import { defaultInspectionLimits } from './upload-limits.ts';
import { integrityOf as integrityOfHex } from './verify-upload.ts';

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
      vi.advanceTimersByTime(5000);
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
