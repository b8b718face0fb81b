import { createHash, createPublicKey, generateKeyPairSync } from 'node:crypto';
import { createReadStream, writeFileSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { pack } from 'tar-stream';
import { DiskTarballStore } from '../../server/storage/tarballs/tarball-store.ts';
import { signContents } from '../../server/upstream/bundles/bundle-format.ts';
import { readBundle } from '../../server/upstream/bundles/bundle-reader.ts';
import { gatehouse, GatehouseProcess } from '../support/gatehouse-process.ts';
import { send } from '../support/http.ts';
import { encodeName, rootToken, TestRegistry } from '../support/registry.ts';
import { integrityOf } from '../support/tarballs.ts';
import { FakeUpstream } from './support/fake-upstream.ts';
import { addUpstream, noise, readPackument, rootActor } from './support/upstream-registry.ts';
import type { Packument } from './support/upstream-registry.ts';

let sender: TestRegistry;
let receiver: TestRegistry;
let folder: string;
let file: string;

beforeEach(async () => {
  [sender, receiver] = await Promise.all([TestRegistry.start(), TestRegistry.start()]);
  folder = await mkdtemp(join(tmpdir(), 'gatehouse-bundle-'));
  file = join(folder, 'release.bundle');
});
afterEach(async () => {
  await sender.stop();
  await receiver.stop();
  await rm(folder, { recursive: true, force: true });
});

const exportFile = async (packages: string[], options: { closure?: boolean; to?: string; replace?: boolean } = {}) => {
  const { to = file, replace, closure = false } = options;
  return sender.registry.upstream.exporter.export({ file: to, replace }, packages, closure);
};
const importFile = async (requireKey: string | null = null, trustKey = false) => {
  return receiver.registry.upstream.importer.import({ file, projectId: 1, requireKey, trustKey }, rootActor);
};
const versionsAt = async (registry: TestRegistry, name: string) =>
  Object.keys((await readPackument(registry, name))?.versions ?? {});

/** What clients see of a package, without addresses. */
function facts(packument: Packument | undefined): unknown {
  const versions = Object.entries(packument?.versions ?? {}).map(
    ([version, { deprecated = '', dist }]) => `${version} ${dist.integrity} ${deprecated}`,
  );
  return { tags: packument?.['dist-tags'], versions: versions.toSorted((a, b) => a.localeCompare(b)) };
}

describe('bundles', () => {
  it('carry versions, tags and deprecations with unchanged bytes; a dry run changes nothing', async () => {
    await sender.publish({ name: '@acme/tool', version: '1.0.0' });
    await sender.publish({ name: '@acme/tool', version: '1.1.0', tag: 'next' });
    const { packages } = sender.registry;
    const id = packages.store.packagesNamed('@acme/tool')[0]?.id ?? 0;
    await packages.editor.deprecate(id, new Map([['1.0.0', 'old']]), rootActor);
    await exportFile(['@acme/*']);

    const dry = await receiver.registry.upstream.importer.inspect({ file, projectId: 1, requireKey: null });
    expect(dry.entries.map(({ version, verdict }) => `${version} ${verdict}`)).toEqual(['1.0.0 new', '1.1.0 new']);
    expect(dry).toMatchObject({ applied: false, keyTrust: 'unknown' });
    expect(await readPackument(receiver, '@acme/tool')).toBeUndefined();
    expect(await receiver.temporaryFiles()).toEqual([]);

    await importFile();
    const here = (await readPackument(sender, '@acme/tool'))!;
    const there = (await readPackument(receiver, '@acme/tool'))!;
    expect(there['dist-tags']).toEqual(here['dist-tags']);
    expect(there.versions['1.0.0']?.deprecated).toBe('old');
    for (const version of ['1.0.0', '1.1.0']) {
      expect(there.versions[version]?.dist.integrity).toBe(here.versions[version]?.dist.integrity);
    }
    const imports = receiver.registry.audit.list({ search: 'package.published' }, { limit: 9, offset: 0 });
    expect(imports.map(({ after }) => after)).toMatchObject([{ source: 'bundle' }, { source: 'bundle' }]);
    const marks = ({ registry }: typeof sender) => {
      const [row] = registry.packages.store.packagesNamed('@acme/tool');
      return registry.packages.catalog.versions(row?.id ?? 0).map(({ imported }) => imported);
    };
    expect([marks(sender), marks(receiver)]).toEqual([
      [false, false],
      [true, true],
    ]);
    const again = await importFile();
    expect(again.entries.every(({ verdict }) => verdict === 'same')).toBe(true);
  });

  it('hold what packages depend on, ours and others, and install it where there is no upstream at all', async () => {
    const upstream = await FakeUpstream.start();
    const leaf = await upstream.publish('leaf', '1.2.0');
    await upstream.publish('branch', '2.0.0', { manifest: { dependencies: { leaf: '^1.0.0' } } });
    await addUpstream(sender, upstream.url);
    await sender.publish({ name: '@acme/base', version: '1.0.0', manifest: { dependencies: { branch: '^2.0.0' } } });
    await sender.publish({
      name: '@acme/tool',
      version: '1.0.0',
      manifest: { dependencies: { '@acme/base': '^1.0.0', nowhere: '1.0.0' } },
    });
    const report = await exportFile(['@acme/tool'], { closure: true });
    expect(report.entries.map(({ name, origin }) => `${name} ${origin}`).toSorted()).toEqual([
      '@acme/base local',
      '@acme/tool local',
      'branch cache',
      'leaf cache',
    ]);
    expect(report.missing).toEqual(['nowhere@1.0.0']);
    await upstream.goAway();

    await importFile();
    const branch = await readPackument(receiver, 'branch');
    expect(branch?.versions['2.0.0']?.dist.tarball).toContain(receiver.origin);
    const tarball = await receiver.get(`${receiver.projectPath()}/leaf/-/leaf-1.2.0.tgz`);
    expect(tarball.bytes.equals(leaf)).toBe(true);
    expect(await versionsAt(receiver, '@acme/base')).toEqual(['1.0.0']);
  });

  it('leave what is here with other bytes, and names that are ours, as they are', async () => {
    const upstream = await FakeUpstream.start();
    await upstream.publish('leaf', '1.0.0');
    await addUpstream(sender, upstream.url);
    await sender.publish({ name: 'tool', version: '1.0.0', manifest: { dependencies: { leaf: '*' } } });
    await exportFile(['tool'], { closure: true });
    await receiver.publish({ name: 'tool', version: '1.0.0', files: { 'index.js': 'mine' } });
    await receiver.publish({ name: 'leaf', version: '5.0.0' });
    await receiver.directory.claims.claim(rootActor, ['leaf']);
    const before = await readPackument(receiver, 'tool');
    const report = await importFile();
    expect(report.entries.map(({ name, verdict }) => `${name} ${verdict}`)).toEqual(['tool conflict', 'leaf refused']);
    expect(await readPackument(receiver, 'tool')).toEqual(before);
    expect(await versionsAt(receiver, 'leaf')).toEqual(['5.0.0']);
    await upstream.goAway();
  });

  it('that were changed or cut are refused as a whole, wherever the damage is', async () => {
    await sender.publish({ name: 'tool', version: '1.0.0' });
    await sender.publish({ name: 'tool', version: '1.1.0' });
    await exportFile(['tool']);
    const whole = await readFile(file);
    const places = [600, whole.indexOf('bundle.sig') + 520, whole.lastIndexOf('tarballs/') + 530];
    for (const place of places) {
      const changed = Buffer.from(whole);
      changed[place] = (changed[place] ?? 0) ^ 1;
      await writeFile(file, changed);
      await expect(importFile()).rejects.toThrow(/bundle/);
    }
    await writeFile(file, whole.subarray(0, whole.lastIndexOf('tarballs/') + 700));
    await expect(importFile()).rejects.toThrow(/damaged/);
    await writeFile(file, 'no bundle');
    await expect(importFile()).rejects.toThrow(/bundle/);
    expect(await readPackument(receiver, 'tool')).toBeUndefined();
    expect(await receiver.temporaryFiles()).toEqual([]);
  });

  it('are not called damaged when it is the import that fails', async () => {
    await sender.publish({ name: 'tool', version: '1.0.0' });
    await exportFile(['tool']);
    const visit = () => Promise.reject(new Error('database or disk is full'));
    await expect(readBundle(file, () => undefined, visit)).rejects.toThrow(/^database or disk is full$/);
  });

  it('of millions of values are refused before they are parsed', async () => {
    const key = generateKeyPairSync('ec', {
      namedCurve: 'P-256',
      publicKeyEncoding: { type: 'spki', format: 'pem' },
      privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    });
    const spki = createPublicKey(key.publicKey).export({ type: 'spki', format: 'der' });
    const keyId = `SHA256:${createHash('sha256').update(spki).digest('base64')}`;
    const contents = Buffer.from(`{"format":1,"packages":[${'[],'.repeat(3_000_000)}0]}`);
    const archive = pack();
    archive.entry({ name: 'bundle.json' }, contents);
    archive.entry({ name: 'bundle.sig' }, signContents(contents, { ...key, keyId }));
    archive.finalize();
    await writeFile(file, await buffer(archive));
    await expect(importFile()).rejects.toThrow(/list of contents is too long for one bundle/);
    // A key that is refused is refused first: nothing that it signed is looked at.
    await expect(importFile('SHA256:other')).rejects.toThrow(/was signed with/);
  });

  it('can be asked to come from one key', async () => {
    await sender.publish({ name: 'tool', version: '1.0.0' });
    const { keyId } = await exportFile(['tool']);
    await expect(importFile('SHA256:other')).rejects.toThrow(/was signed with/);
    await receiver.registry.upstream.upstreams.setTrustedKeys([keyId], rootActor);
    const report = await importFile(keyId);
    expect(report).toMatchObject({ applied: true, keyTrust: 'trusted' });
  });

  it('by an unknown key are refused once a key is trusted, until this one is trusted too', async () => {
    await sender.publish({ name: 'tool', version: '1.0.0' });
    const { keyId } = await exportFile(['tool']);
    const { upstreams, importer } = receiver.registry.upstream;
    await upstreams.setTrustedKeys(['SHA256:somebody-else'], rootActor);
    const inspected = await importer.inspect({ file, projectId: 1, requireKey: null });
    expect(inspected.keyTrust).toBe('refused');
    for (const key of [null, keyId]) await expect(importFile(key)).rejects.toThrow(/not a trusted key/);
    expect(await readPackument(receiver, 'tool')).toBeUndefined();
    expect(await importFile(keyId, true)).toMatchObject({ applied: true, keyTrust: 'trusted' });
    expect(upstreams.trustedKeys).toEqual([keyId, 'SHA256:somebody-else'].toSorted());
    expect(await importFile()).toMatchObject({ keyTrust: 'trusted' });
  });

  it('of which one version is refused leave nothing of the others', async () => {
    const upstream = await FakeUpstream.start();
    await upstream.publish('leaf', '1.0.0');
    await addUpstream(sender, upstream.url);
    await sender.publish({ name: 'tool', version: '1.0.0', manifest: { dependencies: { leaf: '*' } } });
    await sender.publish({ name: 'tool', version: '1.1.0', files: { 'noise.bin': noise(300_000) } });
    await exportFile(['tool'], { closure: true });
    await upstream.goAway();
    const small = await TestRegistry.start({ limits: { tarball: 100_000 } });
    const request = { file, projectId: 1, requireKey: null, trustKey: true };
    await expect(small.registry.upstream.importer.import(request, rootActor)).rejects.toThrow(/large/);
    expect(await readPackument(small, 'tool')).toBeUndefined();
    expect(await readPackument(small, 'leaf')).toBeUndefined();
    expect(small.registry.audit.count({ search: 'package.' })).toBe(0);
    expect(small.registry.upstream.upstreams.trustedKeys).toEqual([]);
    expect(await small.temporaryFiles()).toEqual([]);
    expect(await small.storedTarballs()).toEqual([]);
    await small.stop();
  });

  it("never give their bytes to clients that have another registry's packument", async () => {
    const real = await FakeUpstream.start();
    const bytes = await real.publish('leaf', '1.0.0', { files: { 'index.js': 'real' } });
    const other = await FakeUpstream.start();
    await other.publish('leaf', '1.0.0', { files: { 'index.js': 'other' } });
    await addUpstream(sender, other.url);
    sender.registry.upstream.prefetcher.fromPackages(['leaf']);
    await expect.poll(() => sender.storedTarballs(), { timeout: 10_000 }).toHaveLength(1);
    await exportFile(['leaf']);
    await importFile();
    const url = `${receiver.projectPath()}/leaf/-/leaf-1.0.0.tgz`;
    expect((await receiver.get(url)).bytes.equals(bytes)).toBe(false);
    await addUpstream(receiver, real.url);
    const shown = (await readPackument(receiver, 'leaf'))?.versions['1.0.0']?.dist.integrity;
    expect(shown).toBe(integrityOf(bytes));
    expect((await receiver.get(url)).bytes.equals(bytes)).toBe(true);
    await real.goAway();
    await other.goAway();
  });

  it('whose import was killed are completed by running it again, to the same end as one that was not disturbed', async () => {
    const upstream = await FakeUpstream.start();
    await addUpstream(sender, upstream.url);
    for (let minor = 0; minor < 30; minor += 1) {
      await upstream.publish('leaf', `1.${minor}.0`, { files: { 'noise.bin': noise(20_000) } });
      const manifest = { dependencies: { leaf: `1.${minor}.0` } };
      const files = { 'noise.bin': noise(20_000) };
      await sender.publish({
        name: '@acme/tool',
        version: `1.${minor}.0`,
        tag: minor % 2 ? 'next' : 'latest',
        manifest,
        files,
      });
    }
    const { packages } = sender.registry;
    const id = packages.store.packagesNamed('@acme/tool')[0]?.id ?? 0;
    await packages.editor.deprecate(
      id,
      new Map([
        ['1.0.0', 'first'],
        ['1.29.0', 'last'],
      ]),
      rootActor,
    );
    await exportFile(['@acme/tool'], { closure: true });
    await upstream.goAway();
    await importFile();

    const dataDir = join(folder, 'killed');
    const tarballs = () =>
      readdir(join(dataDir, 'tarballs'), { recursive: true }).then(
        (all) => all.length,
        () => 0,
      );
    for (const enough of [5, 40, 70]) {
      const server = await GatehouseProcess.start({ dataDir });
      const importing = gatehouse(['import', file], { dataDir });
      await expect.poll(tarballs, { timeout: 20_000, interval: 1 }).toBeGreaterThan(enough);
      await server.kill();
      await importing;
    }
    const again = await gatehouse(['import', file], { dataDir });
    expect(again.code, again.stderr).toBe(0);
    const server = await GatehouseProcess.start({ dataDir });
    for (const name of ['@acme/tool', 'leaf']) {
      const answer = await send(server.origin, 'GET', `${receiver.projectPath()}/${encodeName(name)}`, {
        token: rootToken,
      });
      expect(facts(answer.json())).toEqual(facts(await readPackument(receiver, name)));
    }
    const leaf = await send(server.origin, 'GET', `${receiver.projectPath()}/leaf/-/leaf-1.29.0.tgz`, {
      token: rootToken,
    });
    expect(leaf.status).toBe(200);
    await server.stop();
    expect((await gatehouse(['doctor'], { dataDir })).code).toBe(0);
  });

  it('overwrite a file only where that was agreed to, and say so of a name that means nothing', async () => {
    await writeFile(file, 'precious');
    await sender.publish({ name: 'tool', version: '1.0.0' });
    await expect(exportFile(['tool'])).rejects.toThrow(/exists already/);
    const other = join(folder, 'other');
    await expect(exportFile(['nothing@^1'], { to: other })).rejects.toThrow(/"nothing@\^1"/);
    await expect(exportFile(['tool@^2'], { to: other })).rejects.toThrow(/"tool@\^2"/);
    await expect(exportFile(['tool@^2'], { replace: true })).rejects.toThrow(/"tool@\^2"/);
    expect(await readFile(file, 'utf8')).toBe('precious');
    const report = await exportFile(['tool'], { replace: true });
    expect((await readFile(file)).length).toBe(report.bytes);
    expect(await readdir(folder)).toEqual([basename(file)]);

    const open = vi.spyOn(DiskTarballStore.prototype, 'open').mockImplementationOnce(function (
      this: DiskTarballStore,
      sha512,
    ) {
      writeFileSync(other, 'came meanwhile');
      return createReadStream(this.pathOf(sha512));
    });
    await expect(exportFile(['tool'], { to: other })).rejects.toThrow(/exists already/);
    expect(open).toHaveBeenCalledOnce();
    open.mockRestore();
    expect(await readFile(other, 'utf8')).toBe('came meanwhile');
  });
});
