import { createPublicKey, verify } from 'node:crypto';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { beforeAll, describe, expect, test } from 'vitest';
import { TestRegistry } from '../../support/registry.ts';
import { integrityOf, sha1Of } from '../../support/tarballs.ts';
import { kit, useRegistry } from '../../support/use-registry.ts';

interface Packument {
  readonly _id: string;
  readonly _rev: string;
  readonly versions: Record<string, Record<string, unknown> & { dist: Record<string, unknown> & { tarball: string } }>;
  readonly 'dist-tags': Record<string, string>;
  readonly time: Record<string, string>;
  readonly [field: string]: unknown;
}

const abbreviated = 'application/vnd.npm.install-v1+json';
const npm6 = `${abbreviated}; q=1.0, application/json; q=0.8, */*`;

useRegistry('file');
const prefixes = () => [
  kit.projectPath(1),
  kit.projectPath('local/packages'),
  kit.groupPath(1),
  kit.groupPath('local'),
  kit.instancePath,
];
const pathOf = (url: string) => url.slice(kit.origin.length);

const manifest = {
  description: 'Everything a manifest can have',
  license: 'MIT',
  keywords: ['a', 'b'],
  homepage: 'https://acme.test',
  repository: { type: 'git', url: 'git+https://acme.test/full.git' },
  bugs: { url: 'https://acme.test/bugs' },
  author: { name: 'Ann' },
  contributors: [{ name: 'Bob' }],
  main: 'index.js',
  exports: { '.': './index.js' },
  bin: { full: 'cli.js' },
  engines: { node: '>=20' },
  os: ['linux', '!win32'],
  cpu: ['x64'],
  libc: ['glibc'],
  funding: 'https://acme.test/fund',
  scripts: { postinstall: 'node install.js', test: 'true' },
  dependencies: { a: '^1.0.0' },
  devDependencies: { b: '^1.0.0' },
  optionalDependencies: { c: '^1.0.0' },
  peerDependencies: { d: '^1.0.0' },
  peerDependenciesMeta: { d: { optional: true } },
  bundleDependencies: ['a'],
  custom: { deep: [1, { x: null }] },
};

beforeAll(async () => {
  await kit.publish({ name: '@acme/full', version: '1.0.0', manifest, readme: '# Full\n\nWords ünd 🙂' });
  await kit.publish({ name: '@acme/full', version: '1.1.0-rc.1', manifest, tag: 'next' });
  await kit.publish({ name: 'plain', version: '2.0.0' });
});

describe('a packument', () => {
  test('in full has everything that was published, and what clients look for', async () => {
    const packument = (await kit.get(`${kit.projectPath()}/@acme%2ffull`)).json<Packument>();
    expect(packument).toMatchObject({
      _id: '@acme/full',
      _rev: expect.stringMatching(/^\d+-/),
      name: '@acme/full',
      description: manifest.description,
      license: 'MIT',
      keywords: ['a', 'b'],
      homepage: manifest.homepage,
      repository: manifest.repository,
      bugs: manifest.bugs,
      author: manifest.author,
      readme: '# Full\n\nWords ünd 🙂',
      readmeFilename: 'README.md',
      maintainers: [{ name: 'root', email: 'root@users.noreply.gatehouse.local' }],
      'dist-tags': { latest: '1.0.0', next: '1.1.0-rc.1' },
      time: {
        created: expect.any(String),
        modified: expect.any(String),
        '1.0.0': expect.stringMatching(/^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/),
      },
    });
    expect(packument.versions['1.0.0']).toMatchObject({
      ...manifest,
      name: '@acme/full',
      version: '1.0.0',
      _id: '@acme/full@1.0.0',
      _npmVersion: '12.2.0',
      _npmUser: { name: 'root', email: 'root@users.noreply.gatehouse.local' },
      hasInstallScript: true,
      dist: {
        integrity: expect.stringMatching(/^sha512-/),
        shasum: expect.stringMatching(/^[0-9a-f]{40}$/),
        tarball: `${kit.origin}${kit.projectPath()}/@acme/full/-/full-1.0.0.tgz`,
        fileCount: 2,
        unpackedSize: expect.any(Number),
        signatures: [{ keyid: expect.stringMatching(/^SHA256:/), sig: expect.any(String) }],
      },
    });
    expect(packument.versions['1.0.0']).not.toHaveProperty('readme');
  });

  test('abbreviated has what installers read and nothing else, for each Accept that asks for it', async () => {
    for (const accept of [abbreviated, npm6, `${abbreviated}; q=1.0, */*; q=0.1`]) {
      const answer = await kit.get(`${kit.projectPath()}/@acme%2ffull`, { headers: { accept } });
      expect(answer.headers['content-type']).toBe(abbreviated);
      expect(answer.headers.vary).toContain('Accept');
      const packument = answer.json<Packument>();
      expect(Object.keys(packument).toSorted()).toEqual(['dist-tags', 'modified', 'name', 'versions']);
      const version = packument.versions['1.0.0'] ?? { dist: {} };
      expect(version).toMatchObject({
        dependencies: manifest.dependencies,
        peerDependenciesMeta: manifest.peerDependenciesMeta,
        optionalDependencies: manifest.optionalDependencies,
        bin: manifest.bin,
        engines: manifest.engines,
        os: manifest.os,
        hasInstallScript: true,
      });
      for (const field of ['description', 'scripts', 'custom', '_npmUser', 'exports'])
        expect(version).not.toHaveProperty(field);
    }
    for (const accept of ['application/json', '*/*', undefined]) {
      const answer = await kit.get(
        `${kit.projectPath()}/@acme%2ffull`,
        accept === undefined ? {} : { headers: { accept } },
      );
      expect(answer.headers['content-type']).toBe('application/json');
      expect(answer.json()).toHaveProperty('readme');
    }
  });

  test('is the same under every encoding of its name, and speaks of the prefix that was asked', async () => {
    for (const prefix of prefixes()) {
      for (const written of ['@acme/full', '@acme%2ffull', '@acme%2Ffull', '%40acme%2Ffull', '@acme/full/']) {
        const answer = await kit.get(`${prefix}/${written}`);
        expect(answer.status, written).toBe(200);
        const { tarball } = answer.json<Packument>().versions['1.0.0']?.dist ?? { tarball: '' };
        const numeric = prefix.replace('local%2Fpackages', '1').replace('/groups/local/', '/groups/1/');
        expect(tarball).toBe(`${kit.origin}${numeric}/@acme/full/-/full-1.0.0.tgz`);
      }
    }
  });

  test('names the host that the client used', async () => {
    for (const host of [`localhost:${kit.server.port}`, `127.0.0.1:${kit.server.port}`]) {
      const answer = await kit.get(`${kit.projectPath()}/plain`, { headers: { host } });
      expect(answer.json<Packument>().versions['2.0.0']?.dist.tarball).toBe(
        `http://${host}${kit.projectPath()}/plain/-/plain-2.0.0.tgz`,
      );
    }
    const foreign = await kit.get(`${kit.projectPath()}/plain`, { headers: { host: 'evil.test' } });
    expect(foreign.status).toBe(403);
    const forwarded = await kit.get(`${kit.projectPath()}/plain`, { headers: { 'x-forwarded-host': 'evil.test' } });
    expect(forwarded.text).not.toContain('evil.test');
  });

  test('is compressed as asked, and is the same underneath', async () => {
    const path = `${kit.projectPath()}/@acme%2ffull`;
    const plain = await kit.get(path);
    const gzip = await kit.get(path, { headers: { 'accept-encoding': 'gzip, deflate' } });
    const brotli = await kit.get(path, { headers: { 'accept-encoding': 'gzip, deflate, br' } });
    const refused = await kit.get(path, { headers: { 'accept-encoding': 'gzip;q=0, br;q=0' } });
    expect(gzip.headers['content-encoding']).toBe('gzip');
    expect(brotli.headers['content-encoding']).toBe('br');
    expect(refused.headers['content-encoding']).toBeUndefined();
    expect(gunzipSync(gzip.bytes).toString()).toBe(plain.text);
    expect(brotliDecompressSync(brotli.bytes).toString()).toBe(plain.text);
    for (const answer of [plain, gzip, brotli])
      expect(Number(answer.headers['content-length'])).toBe(answer.bytes.length);
    expect(new Set([plain, gzip, brotli].map(({ headers }) => headers.etag)).size).toBe(1);
  });

  test('is not sent again to who has it, until it changes', async () => {
    await kit.publish({ name: 'moving', version: '1.0.0' });
    const path = `${kit.projectPath()}/moving`;
    for (const accept of ['application/json', abbreviated]) {
      const { headers } = await kit.get(path, { headers: { accept } });
      const etag = headers.etag ?? '';
      for (const condition of [etag, `"other", ${etag}`, '*', etag.replace('W/', '')]) {
        const again = await kit.get(path, { headers: { accept, 'if-none-match': condition } });
        expect(again.status, condition).toBe(304);
        expect(again.bytes).toHaveLength(0);
        expect(again.headers.etag).toBe(etag);
      }
      expect((await kit.get(path, { headers: { accept, 'if-none-match': '"other"' } })).status).toBe(200);
    }
    const { headers } = await kit.get(path);
    const full = headers.etag ?? '';
    const { headers: short } = await kit.get(path, { headers: { accept: abbreviated } });
    expect(short.etag).not.toBe(full);
    await kit.send('PUT', `${kit.projectPath()}/-/package/moving/dist-tags/beta`, { body: '"1.0.0"' });
    expect((await kit.get(path, { headers: { 'if-none-match': full } })).status).toBe(200);
  });

  test('HEAD has the headers of GET and no body', async () => {
    for (const path of [
      `${kit.projectPath()}/@acme%2ffull`,
      `${kit.projectPath()}/@acme/full/-/full-1.0.0.tgz`,
      `${kit.projectPath()}/plain/latest`,
    ]) {
      const get = await kit.get(path);
      const head = await kit.send('HEAD', path);
      expect(head.status).toBe(200);
      expect(head.bytes).toHaveLength(0);
      for (const header of ['content-length', 'content-type', 'etag'])
        expect(head.headers[header]).toBe(get.headers[header]);
    }
  });

  test('for who is about to change it comes fresh, with the current revision', async () => {
    const answer = await kit.get(`${kit.projectPath()}/plain?write=true`);
    expect(answer.headers['cache-control']).toBe('no-store');
    expect(answer.json<Packument>()._rev).toMatch(/^\d+-/);
  });

  test('that is not there: 404 that names it, in both forms', async () => {
    for (const prefix of prefixes()) {
      const answer = await kit.get(`${prefix}/@acme%2fmissing`, { headers: { accept: abbreviated } });
      expect(answer.status).toBe(404);
      expect(answer.json()).toMatchObject({
        message: '404 Packages Not Found',
        error: expect.stringContaining('@acme/missing'),
      });
    }
  });

  test('names that are properties of every object are names like others', async () => {
    for (const odd of ['constructor', '__proto__', 'tostring', 'hasownproperty']) {
      expect((await kit.get(`${kit.projectPath()}/${odd}`)).status).toBe(404);
      expect((await kit.get(`${kit.projectPath()}/-/${odd}`)).status).toBe(404);
      expect((await kit.get(`${kit.projectPath()}/plain/${odd}`)).status).toBe(404);
    }
    await kit.publish({ name: 'constructor', version: '1.0.0', tag: 'tostring' });
    expect((await kit.get(`${kit.projectPath()}/constructor/tostring`)).json()).toMatchObject({ version: '1.0.0' });
  });

  test.each([
    '/a%00b',
    '/@acme%2ffull%0d%0aX',
    '/@acme/full%0a',
    '/%0d%0ahttp:/%2fexample.com',
    '/%0d%0ahttp://example.com',
    '/-/package/a%0d/dist-tags',
  ])('a name with control characters is refused: %j', async (path) => {
    const answer = await kit.get(kit.projectPath() + path);
    expect(answer.status).toBe(400);
    expect(answer.json()['error']).toBe('package_name should be a valid file path');
  });

  test.each(['%', '%zz', '%ff', '@acme%2', 'a%00b', '@acme%2ffull%0d%0aX', '%2e%2e', '..%2f..', '@%2f'])(
    'the path %j is no way in',
    async (path) => {
      const answer = await kit.get(`${kit.projectPath()}/${path}`);
      expect([400, 404]).toContain(answer.status);
      expect(answer.headers['content-type']).toBe('application/json');
    },
  );
});

describe('one manifest', () => {
  test('by version, by tag and by latest, at every prefix', async () => {
    for (const prefix of prefixes()) {
      expect((await kit.get(`${prefix}/@acme%2ffull/1.0.0`)).json()).toMatchObject({
        version: '1.0.0',
        custom: manifest.custom,
      });
      expect((await kit.get(`${prefix}/@acme/full/next`)).json()).toMatchObject({ version: '1.1.0-rc.1' });
      expect((await kit.get(`${prefix}/plain/latest`)).json()).toMatchObject({ version: '2.0.0' });
    }
  });

  test('that is not there: 404 that says what there is', async () => {
    const answer = await kit.get(`${kit.projectPath()}/@acme%2ffull/9.9.9`);
    expect(answer.status).toBe(404);
    expect(answer.json()['error']).toMatch(/9\.9\.9.*1\.1\.0-rc\.1, 1\.0\.0/);
  });
});

describe('a tarball', () => {
  const file = '/@acme/full/-/full-1.0.0.tgz';

  test('is the bytes that were published, under the public name and under GitLab’s, at every prefix', async () => {
    const { versions } = (await kit.get(`${kit.projectPath()}/@acme%2ffull`)).json<Packument>();
    const dist: Readonly<Record<string, unknown>> = versions['1.0.0']?.dist ?? {};
    for (const prefix of prefixes()) {
      for (const path of [
        file,
        '/@acme%2ffull/-/full-1.0.0.tgz',
        '/@acme/full/-/@acme/full-1.0.0.tgz',
        '/@acme/full/-/@acme%2ffull-1.0.0.tgz',
      ]) {
        const answer = await kit.get(prefix + path);
        expect(answer.status, prefix + path).toBe(200);
        expect(sha1Of(answer.bytes)).toBe(dist['shasum']);
        expect(integrityOf(answer.bytes)).toBe(dist['integrity']);
        expect(answer.headers['content-type']).toBe('application/octet-stream');
        expect(answer.headers['x-content-type-options']).toBe('nosniff');
        expect(answer.headers['cache-control']).toContain('immutable');
      }
    }
  });

  test('comes in ranges', async () => {
    const whole = (await kit.get(kit.projectPath() + file)).bytes;
    const range = (value: string, more: Record<string, string> = {}) =>
      kit.get(kit.projectPath() + file, { headers: { range: value, ...more } });
    const middle = await range('bytes=10-19');
    expect(middle.status).toBe(206);
    expect(middle.bytes).toEqual(whole.subarray(10, 20));
    expect(middle.headers['content-range']).toBe(`bytes 10-19/${whole.length}`);
    expect((await range('bytes=10-')).bytes).toEqual(whole.subarray(10));
    expect((await range('bytes=-5')).bytes).toEqual(whole.subarray(-5));
    expect((await range(`bytes=0-${whole.length * 2}`)).bytes).toEqual(whole);
    const beyond = await range(`bytes=${whole.length}-`);
    expect(beyond.status).toBe(416);
    expect(beyond.headers['content-range']).toBe(`bytes */${whole.length}`);
    for (const ignored of ['bytes=5-2', 'lines=1-2', 'bytes=x', 'bytes=0-1,3-4', 'bytes=-']) {
      const answer = await range(ignored);
      expect(answer.status, ignored).toBe(200);
      expect(answer.bytes).toEqual(whole);
    }
    expect((await range('bytes=0-1', { 'if-range': '"other"' })).status).toBe(200);
    expect((await range('bytes=0-1', { 'if-range': middle.headers.etag ?? '' })).status).toBe(206);
  });

  test('is not sent again to who has it', async () => {
    const { headers } = await kit.get(kit.projectPath() + file);
    const again = await kit.get(kit.projectPath() + file, { headers: { 'if-none-match': headers.etag ?? '' } });
    expect(again.status).toBe(304);
    expect(again.bytes).toHaveLength(0);
  });

  test.each([
    'full-9.9.9.tgz',
    'full-1.0.0.zip',
    'full.tgz',
    'other-1.0.0.tgz',
    '..%2f..%2fgatehouse.db',
    'full-1.0.0.tgz%00',
    'full-..%2f1.0.0.tgz',
  ])('called %j is not there', async (odd) => {
    expect((await kit.get(`${kit.projectPath()}/@acme/full/-/${odd}`)).status).toBe(404);
  });
});

test('the addresses in a packument can be downloaded as they stand', async () => {
  for (const prefix of prefixes()) {
    const packument = (await kit.get(`${prefix}/@acme%2ffull`)).json<Packument>();
    for (const { dist } of Object.values(packument.versions))
      expect((await kit.get(pathOf(dist.tarball))).status).toBe(200);
  }
});

test('a version with a plus in it is published, listed and downloaded', async () => {
  await kit.publish({ name: 'builds', version: '1.0.0+a.1' });
  const packument = (await kit.get(`${kit.projectPath()}/builds`)).json<Packument>();
  const { tarball } = packument.versions['1.0.0+a.1']?.dist ?? { tarball: '' };
  expect((await kit.get(pathOf(tarball))).status).toBe(200);
  expect((await kit.get(`${kit.projectPath()}/builds/-/builds-1.0.0%2Ba.1.tgz`)).status).toBe(200);
});

test('every version carries a signature that the published key verifies', async () => {
  const { keys } = (await kit.get(`${kit.instancePath}/-/npm/v1/keys`)).json<{
    keys: { keyid: string; key: string }[];
  }>();
  const { versions } = (await kit.get(`${kit.projectPath()}/@acme%2ffull`)).json<Packument>();
  for (const [version, { dist }] of Object.entries(versions)) {
    const [signature] = dist['signatures'] as { keyid: string; sig: string }[];
    const key = keys.find(({ keyid }) => keyid === signature?.keyid)?.key ?? '';
    const publicKey = createPublicKey({ key: Buffer.from(key, 'base64'), format: 'der', type: 'spki' });
    const message = Buffer.from(`@acme/full@${version}:${String(dist['integrity'])}`);
    expect(verify('sha256', message, publicKey, Buffer.from(signature?.sig ?? '', 'base64'))).toBe(true);
  }
});

describe('behind a proxy', () => {
  const forwarded = {
    'x-forwarded-host': 'registry.test',
    'x-forwarded-proto': 'https',
    'x-forwarded-for': '10.1.2.3',
  };

  async function addressesOf(other: TestRegistry, headers: Record<string, string>): Promise<string[]> {
    await other.publish({ name: 'first', version: '1.0.0' });
    const path = `${other.projectPath()}/first`;
    const packument = (await other.get(path, { headers })).json<Packument>();
    // A second time without the headers: what was kept for one origin is nothing for another.
    const direct = (await other.get(path)).json<Packument>();
    const login = await other.send('POST', `${other.projectPath()}/-/v1/login`, { token: undefined, headers });
    const of = ({ versions }: Packument) => versions['1.0.0']?.dist.tarball ?? '';
    return [of(packument), of(direct), login.json<{ loginUrl: string }>().loginUrl];
  }

  test('that is trusted, addresses are those that it says', async () => {
    const other = await TestRegistry.start({ hosts: { trustProxy: true, allowedHosts: ['registry.test'] } });
    const [through, direct, login] = await addressesOf(other, forwarded);
    expect(through).toBe('https://registry.test/api/v4/projects/1/packages/npm/first/-/first-1.0.0.tgz');
    expect(direct).toBe(`${other.origin}/api/v4/projects/1/packages/npm/first/-/first-1.0.0.tgz`);
    expect(login).toMatch(/^https:\/\/registry\.test\/api\/v4\/projects\/1\//);
    expect(other.registry.npm.logins.pending()).toMatchObject([{ address: '10.1.2.3' }]);
    await other.stop();
  });

  test('with an address of its own configured, it is that address, whoever asks', async () => {
    const other = await TestRegistry.start({ hosts: { externalUrl: 'https://npm.test/base' } });
    for (const address of await addressesOf(other, {}))
      expect(address).toMatch(/^https:\/\/npm\.test\/base\/api\/v4\//);
    await other.stop();
  });

  test('that is not trusted, its headers change nothing', async () => {
    const other = await TestRegistry.start();
    for (const address of await addressesOf(other, forwarded)) expect(address.startsWith(other.origin)).toBe(true);
    await other.stop();
  });
});

test('a person who opens the bare address is told what is here', async () => {
  const answer = await kit.get('/');
  expect(answer.status).toBe(200);
  expect(answer.headers['content-type']).toBe('text/plain; charset=utf-8');
  expect(answer.text).toContain(`${kit.origin}/api/v4/packages/npm/`);
});
