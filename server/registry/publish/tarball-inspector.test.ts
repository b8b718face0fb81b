import { gunzipSync, gzipSync } from 'node:zlib';
import { pack } from 'tar-stream';
import type { Header } from 'tar-stream';
import { describe, expect, it } from 'vitest';
import { longHeader, makeTar, paxOf, paxRecords, rawEntry } from '../../../test/support/tarballs.ts';
import { GatehouseError } from '../../contract/errors.ts';
import { TarballInspector } from './tarball-inspector.ts';
import type { TarballInspection } from './tarball-inspector.ts';
import type { InspectionLimits } from './upload-limits.ts';

type Entry = Partial<Header> & { name: string; content?: string };

const packageJson = (fields: object = {}): Entry => ({
  name: 'package/package.json',
  content: JSON.stringify({ name: 'a', version: '1.0.0', ...fields }),
});

async function tar(...entries: Entry[]): Promise<Buffer> {
  const archive = pack();
  for (const { content, ...header } of entries) archive.entry(header, content ?? '');
  archive.finalize();
  const chunks: Buffer[] = [];
  for await (const chunk of archive) chunks.push(chunk as Buffer);
  return gzipSync(Buffer.concat(chunks));
}

async function inspect(bytes: Buffer, limits?: InspectionLimits, step = 1000): Promise<TarballInspection> {
  const inspector = new TarballInspector(limits);
  for (let at = 0; at < bytes.length; at += step) await inspector.write(bytes.subarray(at, at + step));
  return inspector.result();
}

async function refusal(bytes: Buffer, limits?: InspectionLimits): Promise<string> {
  const error: unknown = await inspect(bytes, limits).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(GatehouseError);
  return (error as GatehouseError).message;
}

describe('TarballInspector', () => {
  it('refuses headers that no packer makes, before it makes keys of their records', async () => {
    const manifest = { name: 'package/package.json', content: '{}' };
    for (const header of [longHeader('x', paxRecords(20_000)), longHeader('L', `package/${'a/'.repeat(50_000)}b`)]) {
      expect(await refusal(await makeTar([manifest], header))).toBe(
        'The archive holds a header of more than 65536 bytes, which no packer makes. Make it anew, a package with "npm pack".',
      );
    }
  });

  it('keeps of a header for the whole archive only what means something, so that it is not copied for every entry', async () => {
    const blocks = [longHeader('g', paxRecords(5000))];
    for (let index = 0; index < 3000; index += 1)
      blocks.push(longHeader('x', paxOf({ path: `package/long-${index}` })), rawEntry('', {}));
    const bytes = await makeTar([{ name: 'package/package.json', content: '{}' }], Buffer.concat(blocks));
    const { fileCount } = await inspect(bytes, undefined, 1_000_000);
    expect(fileCount).toBe(3001);
  });

  it('takes a file twice with one content, as pnpm packs a "main" that begins with "./", and not with two', async () => {
    const [dotted, plain] = ['package/./dist/index.js', 'package/dist/index.js'];
    const main = (content: string, name: string): Entry => ({ name, content });
    expect(await inspect(await tar(packageJson(), main('1', dotted), main('1', plain)))).toMatchObject({
      fileCount: 3,
    });
    const different = 'holds "dist/index.js" twice';
    expect(await refusal(await tar(packageJson(), main('1', dotted), main('2', plain)))).toContain(different);
    expect(await refusal(await tar(packageJson(), main('1', plain), main('1', plain)))).toContain(different);
    const asFolder = main('1', 'package/dist/index.js/x');
    expect(await refusal(await tar(packageJson(), main('1', dotted), asFolder))).toContain('twice');
  });

  it('takes package.json and readme out and counts the files', async () => {
    const bytes = await tar(
      packageJson(),
      { name: 'package/README.md', content: '# A' },
      { name: 'package/lib/x.js', content: '12345' },
    );
    for (const step of [1, 7, 100_000]) {
      const found = await inspect(bytes, undefined, step);
      expect(found.packageJson).toEqual({ name: 'a', version: '1.0.0' });
      expect(found.readme).toEqual({ filename: 'README.md', text: '# A' });
      expect(found.fileCount).toBe(3);
      expect(found.unpackedSize).toBe(JSON.stringify({ name: 'a', version: '1.0.0' }).length + 3 + 5);
    }
  });

  it('takes any top folder', async () => {
    expect((await inspect(await tar({ ...packageJson(), name: 'widget/package.json' }))).packageJson['name']).toBe('a');
  });

  it('does not mistake a nested package.json for the package’s own', async () => {
    expect(await refusal(await tar({ ...packageJson(), name: 'package/lib/package.json' }))).toContain(
      'no package.json',
    );
  });

  it('knows an install script, declared or implied by binding.gyp', async () => {
    expect((await inspect(await tar(packageJson()))).hasInstallScript).toBe(false);
    expect((await inspect(await tar(packageJson({ scripts: { postinstall: 'x' } })))).hasInstallScript).toBe(true);
    expect((await inspect(await tar(packageJson(), { name: 'package/binding.gyp' }))).hasInstallScript).toBe(true);
  });

  it.each(['/etc/passwd', 'package/../../x', '../x', 'C:/x', 'package\\..\\x'])('refuses the path %s', async (name) => {
    expect(await refusal(await tar(packageJson(), { name, content: 'x' }))).toContain('leads out of its folder');
  });

  it.each([
    { name: 'package/l', type: 'symlink', linkname: '/etc/passwd' },
    { name: 'package/l', type: 'link', linkname: 'package/package.json' },
    { name: 'package/d', type: 'character-device' },
    { name: 'package/f', type: 'fifo' },
  ] as const)('refuses a $type', async (entry) => {
    expect(await refusal(await tar(packageJson(), entry))).toContain(entry.type);
  });

  it('refuses what is no gzip, no tar, cut short or no JSON', async () => {
    const good = await tar(packageJson());
    expect(await refusal(Buffer.from('hello'))).toContain('not a gzipped tar');
    expect(await refusal(Buffer.alloc(0))).toContain('The tarball');
    expect(await refusal(gzipSync(Buffer.alloc(600, 'x')))).toContain('not a gzipped tar');
    expect(await refusal(good.subarray(0, good.length - 20))).toContain('not a gzipped tar');
    for (const bytes of [100, 520, 600]) {
      expect(await refusal(gzipSync(gunzipSync(good).subarray(0, bytes)))).toContain('unexpected end of data');
    }
    expect(await refusal(await tar({ ...packageJson(), content: '{' }))).toContain('not a JSON object');
    expect(await refusal(await tar({ ...packageJson(), content: '[]' }))).toContain('not a JSON object');
  });

  it('stops a gzip bomb and too many entries early', async () => {
    const limits = { unpackedSize: 100_000, entries: 10 };
    expect(await refusal(gzipSync(Buffer.alloc(20_000_000)), limits)).toContain('The tarball');
    expect(
      await refusal(await tar(packageJson(), { name: 'package/big', content: 'x'.repeat(200_000) }), limits),
    ).toContain('unpacks to more');
    const many = Array.from({ length: 20 }, (_, index) => ({ name: `package/${index}` }));
    expect(await refusal(await tar(packageJson(), ...many), limits)).toContain('more than 10 entries');
  });
});
