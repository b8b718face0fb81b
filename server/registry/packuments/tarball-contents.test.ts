import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { pack } from 'tar-stream';
import { describe, expect, it } from 'vitest';
import { listTarball, readTarballFile } from './tarball-contents.ts';

const sha1 = (text: string) => createHash('sha1').update(text).digest('hex');

async function tarball(files: Record<string, string | Buffer>, mode = 0o644): Promise<() => Readable> {
  const archive = pack();
  for (const [name, content] of Object.entries(files)) archive.entry({ name, mode }, content);
  archive.finalize();
  const chunks: Buffer[] = [];
  for await (const chunk of archive as unknown as AsyncIterable<Buffer>) chunks.push(chunk);
  const bytes = gzipSync(Buffer.concat(chunks));
  return () => Readable.from([bytes]);
}

describe('the contents of a tarball', () => {
  it('are listed by path, below whatever folder the packer chose', async () => {
    const open = await tarball({ 'thing/lib/b.js': 'bb', 'thing/a.js': 'a' }, 0o755);
    expect(await listTarball(open())).toEqual([
      { path: 'a.js', size: 1, executable: true, sha1: sha1('a') },
      { path: 'lib/b.js', size: 2, executable: true, sha1: sha1('bb') },
    ]);
  });

  it('are read as text, one file at a time', async () => {
    const open = await tarball({ 'package/a.js': 'const ä = 1;\n', 'package/b.js': 'b' });
    expect(await readTarballFile(open(), 'a.js')).toEqual({
      path: 'a.js',
      size: 14,
      text: 'const ä = 1;\n',
      withheld: null,
    });
  });

  it('withhold what is no text and what is too long, and say which', async () => {
    const open = await tarball({
      'package/logo.png': Buffer.from([0x89, 0x50, 0, 1]),
      'package/latin1.txt': Buffer.from([0xe4]),
      'package/long.txt': 'x'.repeat(100),
    });
    expect((await readTarballFile(open(), 'logo.png')).withheld).toBe('binary');
    expect((await readTarballFile(open(), 'latin1.txt')).withheld).toBe('binary');
    expect(await readTarballFile(open(), 'long.txt', 99)).toMatchObject({ size: 100, text: null, withheld: 'large' });
  });

  it('say so where there is no such file, and where the bytes are damaged', async () => {
    const open = await tarball({ 'package/a.js': 'a' });
    await expect(readTarballFile(open(), '../a.js')).rejects.toThrow('no file');
    await expect(listTarball(Readable.from([Buffer.from('not a tarball')]))).rejects.toThrow();
  });
});
