import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { TarballDownload } from './tarball-download.ts';

const megabyte = 1024 * 1024;

/** A download that a test feeds itself; the stored bytes are those that were fed. */
function manualDownload(size: number | null = null) {
  const fed: Buffer[] = [];
  const opened: number[] = [];
  let take: (chunk: Buffer) => void = () => undefined;
  let settle: { resolve: (sha512: string) => void; reject: (error: Error) => void } | undefined;
  const download = new TarballDownload(
    size,
    (sink) => {
      take = sink;
      return new Promise<string>((resolve, reject) => (settle = { resolve, reject }));
    },
    (_sha512, start) => {
      opened.push(start);
      return Readable.from([Buffer.concat(fed).subarray(start)]);
    },
  );
  return {
    download,
    opened,
    feed: (chunk: Buffer) => {
      fed.push(chunk);
      take(chunk);
    },
    finish: () => settle?.resolve('digest'),
    fail: () => settle?.reject(new Error('wrong bytes')),
    whole: () => Buffer.concat(fed),
  };
}

async function collect(source: AsyncIterable<Buffer>): Promise<{ bytes: Buffer; error: unknown }> {
  const chunks: Buffer[] = [];
  try {
    for await (const chunk of source) chunks.push(chunk);
  } catch (error) {
    return { bytes: Buffer.concat(chunks), error };
  }
  return { bytes: Buffer.concat(chunks), error: undefined };
}

const piece = (fill: number, size = megabyte): Buffer => Buffer.alloc(size, fill);

describe('a tarball under way', () => {
  it('is handed to everybody who reads along, the last piece only when it was verified', async () => {
    const { download, feed, finish, whole, opened } = manualDownload();
    const early = download.read();
    feed(piece(1));
    feed(piece(2));
    expect((await early.next()).value).toEqual(piece(1));
    const pending = early.next();
    const late = collect(download.read());
    const winner = await Promise.race([pending.then(() => 'second piece'), Promise.resolve('nothing yet')]);
    expect(winner).toBe('nothing yet');
    finish();
    expect((await pending).value).toEqual(piece(2));
    expect((await early.next()).done).toBe(true);
    expect((await late).bytes.equals(whole())).toBe(true);
    expect(opened).toEqual([]);
  });

  it('goes on from the disk for one that fell behind what is held in memory, or came too late for its start', async () => {
    const { download, feed, finish, whole, opened } = manualDownload();
    const slow = download.read();
    feed(piece(0));
    feed(piece(1));
    const first = (await slow.next()).value as Buffer;
    for (let fill = 2; fill < 20; fill += 1) feed(piece(fill));
    const late = collect(download.read());
    finish();
    const rest = await collect(slow);
    expect(Buffer.concat([first, rest.bytes]).equals(whole())).toBe(true);
    expect((await late).bytes.equals(whole())).toBe(true);
    expect(opened.toSorted((a, b) => a - b)).toEqual([0, megabyte]);
  });

  it('never gives anybody the whole of what turned out wrong', async () => {
    const { download, feed, fail, whole } = manualDownload();
    const reading = collect(download.read());
    feed(piece(1));
    feed(piece(2));
    feed(piece(3));
    fail();
    const { bytes, error } = await reading;
    expect(error).toMatchObject({ message: 'wrong bytes' });
    expect(bytes.length).toBeLessThan(whole().length);
    expect((await collect(download.read())).error).toMatchObject({ message: 'wrong bytes' });
    await expect(download.stored).rejects.toThrow('wrong bytes');
  });

  it('may be empty', async () => {
    const { download, finish } = manualDownload(0);
    const reading = collect(download.read());
    finish();
    expect((await reading).bytes.length).toBe(0);
  });
});
