import { request } from 'node:http';
import { gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { systemActor } from '../../../server/accounts/change.ts';
import { makePublishDocument } from '../../support/publish-document.ts';
import type { PublishDocument } from '../../support/publish-document.ts';
import { encodeName, TestRegistry } from '../../support/registry.ts';
import type { TestUser } from '../../support/registry.ts';
import { integrityOf, makeTar, makeTarball } from '../../support/tarballs.ts';
import type { Answer } from '../../support/http.ts';

/* The refusals of a publish: told at once, with nothing left of the upload. */

describe('an upload that is refused', () => {
  let kit: TestRegistry;
  let developer: TestUser;
  let reporter: TestUser;
  let outsider: TestUser;

  beforeAll(async () => {
    kit = await TestRegistry.start({ limits: { tarball: 64 * 1024 } });
    developer = await kit.user();
    reporter = await kit.user();
    outsider = await kit.user();
    await kit.member(1, developer.user.id, 30);
    await kit.member(1, reporter.user.id, 20);
    await kit.publish({ name: '@local/present', version: '1.0.0' });
  });
  afterAll(() => kit.stop());

  afterEach(async () => {
    expect(await kit.temporaryFiles()).toEqual([]);
    expect(await kit.storedTarballs()).toHaveLength(1);
    expect(kit.registry.packages.store.packagesNamed('@acme/new')).toEqual([]);
  });

  const name = '@acme/new';

  function put(
    body: unknown,
    options: { token?: string | undefined; name?: string; prefix?: string } = {},
  ): Promise<Answer> {
    const { prefix = kit.projectPath(), name: inUrl = name } = options;
    return kit.send('PUT', `${prefix}/${encodeName(inUrl)}`, {
      ...('token' in options ? { token: options.token } : { token: developer.token }),
      body: typeof body === 'string' ? Buffer.from(body) : body,
      headers: { 'content-type': 'application/json' },
    });
  }

  const valid = () => makePublishDocument({ name, version: '1.0.0' });
  const attachmentOf = (document: PublishDocument) => Object.values(document._attachments)[0] ?? {};
  const manifestOf = (document: PublishDocument) => {
    const manifest = Object.values(document.versions)[0];
    if (!manifest) throw new Error('The document has no version.');
    return manifest;
  };

  /** A document around other bytes than those of a package. */
  async function around(tarball: Buffer): Promise<PublishDocument> {
    return makePublishDocument({ name, version: '1.0.0', tarball });
  }

  describe('who may not publish', () => {
    test('no token: 401, at every prefix, known or not', async () => {
      for (const prefix of [kit.projectPath(), kit.projectPath(999), kit.groupPath('local'), kit.instancePath]) {
        const answer = await put(await valid(), { token: undefined, prefix });
        expect(answer.status).toBe(401);
        expect(answer.json()['message']).toBe('401 Unauthorized');
        expect(answer.headers['www-authenticate']).toContain('Bearer');
      }
    });

    test('an unknown, expired or revoked token: 401 that says which', async () => {
      const expired = await kit.token(developer.user.id, ['api'], tomorrow());
      const revoked = await kit.token(developer.user.id);
      const record = kit.directory.tokens.findBySecret(revoked);
      await kit.directory.tokens.revoke(systemActor, record?.id ?? 0);
      expect((await put(await valid(), { token: 'glpat-unknown' })).status).toBe(401);
      const dead = await put(await valid(), { token: revoked });
      expect(dead.status).toBe(401);
      expect(dead.json()).toEqual({
        error: 'invalid_token',
        error_description: 'Token was revoked. You have to re-authorize from the user.',
      });
      expect((await kit.get(`${kit.projectPath()}/-/whoami`, { token: expired })).status).toBe(200);
    });

    test('a stranger: 404; a reporter: 403; a token that may only read: 403', async () => {
      const hidden = await put(await valid(), { token: outsider.token });
      expect(hidden.status).toBe(404);
      expect(hidden.json()).toMatchObject({
        message: '404 Project Not Found',
        error: expect.stringContaining('Project not found'),
      });
      const low = await put(await valid(), { token: reporter.token });
      expect(low.status).toBe(403);
      expect(low.json()['message']).toBe('403 Forbidden');
      for (const scopes of [['read_api'], ['read_package_registry']] as const) {
        const answer = await put(await valid(), { token: await kit.token(developer.user.id, scopes) });
        expect(answer.status).toBe(403);
        expect(answer.json()).toMatchObject({ error: 'insufficient_scope', scope: expect.stringContaining('api') });
      }
    });

    test('a blocked user: 403 that says so', async () => {
      const blocked = await kit.user();
      await kit.member(1, blocked.user.id, 30);
      await kit.directory.users.setBlocked(systemActor, blocked.user.id, true);
      const answer = await put(await valid(), { token: blocked.token });
      expect(answer.status).toBe(403);
      expect(answer.json()['message']).toBe('403 Forbidden - Your account has been blocked.');
    });

    test.each(['1.0.0', 'no version'])(
      'one who is removed while the upload of %s is on its way: 404',
      async (version) => {
        const leaving = await kit.user();
        await kit.member(1, leaving.user.id, 30);
        const body = Buffer.from(
          JSON.stringify({ ...(await valid()), ...(version === '1.0.0' ? {} : { versions: {} }) }),
        );
        const { hostname, port } = new URL(kit.origin);
        const status = await new Promise<number>((resolve, reject) => {
          const outgoing = request({
            host: hostname,
            port,
            method: 'PUT',
            path: `${kit.projectPath()}/@acme%2fnew`,
            headers: {
              authorization: `Bearer ${leaving.token}`,
              'content-type': 'application/json',
              'content-length': body.length,
              expect: '100-continue',
            },
          });
          outgoing.on('error', reject);
          outgoing.on('response', (answer) => {
            answer.resume();
            resolve(answer.statusCode ?? 0);
          });
          // The server wants the body, so it has found that this user may publish.
          outgoing.on('continue', () => {
            kit.directory.members
              .remove(systemActor, { kind: 'project', id: 1 }, leaving.user.id)
              .then(() => outgoing.end(body), reject);
          });
          outgoing.flushHeaders();
        });
        expect(status).toBe(404);
      },
    );

    test('a group or instance prefix: 405 that names the project prefix', async () => {
      for (const prefix of [kit.groupPath('local'), kit.instancePath]) {
        const answer = await put(await valid(), { prefix });
        expect(answer.status).toBe(405);
        expect(answer.json()['error']).toMatch(/projects\/<id>\/packages\/npm/);
        expect(answer.headers['allow']).toBe('GET, HEAD');
      }
    });

    test('a page of another origin: 403', async () => {
      const answer = await kit.send('PUT', `${kit.projectPath()}/@acme%2fnew`, {
        body: await valid(),
        headers: { origin: 'https://evil.test' },
      });
      expect(answer.status).toBe(403);
    });
  });

  describe('what is no publish document: 400', () => {
    test.each([
      ['', 'Invalid json'],
      ['{', 'Invalid json'],
      ['not json', 'Invalid json'],
      ['[]', 'Invalid json'],
      ['null', 'Invalid json'],
      ['"text"', 'Invalid json'],
      ['{} {}', 'Invalid json'],
      [Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]), 'Invalid json'],
      ['{}', 'Versions key is missing from the JSON upload'],
      ['{"versions":{}}', undefined],
      ['{"versions":[]}', undefined],
      ['{"versions":"1.0.0"}', undefined],
    ])('%j', async (body, message) => {
      const answer = await put(body);
      expect(answer.status).toBe(400);
      const { error, message: gitlab } = answer.json<{ error: string; message: string }>();
      expect(error).toEqual(expect.any(String));
      if (message !== undefined) expect(gitlab).toBe(message);
    });

    test('nesting that no document has', async () => {
      expect((await put(`${'['.repeat(5000)}${']'.repeat(5000)}`)).status).toBe(400);
      expect((await put(`{"a":${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}}`)).status).toBe(400);
    });
  });

  /** Each changes a document that is right; the text is what the answer has to name. */
  const changes: [string, (document: PublishDocument) => void, RegExp][] = [
    ['no version at all', (it) => void (it.versions = {}), /Version is empty\./],
    ['no _attachments', (it) => void delete (it as Partial<PublishDocument>)._attachments, /_attachments/],
    ['_attachments that is no object', (it) => void (it._attachments = [] as never), /_attachments/],
    ['no tarball in it', (it) => void (it._attachments = { 'readme.txt': { data: 'aGk=' } }), /tarball/],
    ['a tarball of another name', (it) => rename(it, 'other-1.0.0.tgz'), /other-1\.0\.0\.tgz/],
    ['a tarball of another version', (it) => rename(it, '@acme/new-2.0.0.tgz'), /new-2\.0\.0\.tgz/],
    ['two tarballs', (it) => void (it._attachments['@acme/new-2.0.0.tgz'] = { data: 'aGk=' }), /2 tarballs/],
    ['an attachment that nobody knows', (it) => void (it._attachments['notes.txt'] = { data: 'aGk=' }), /notes\.txt/],
    ['no dist', (it) => void delete (manifestOf(it) as Record<string, unknown>)['dist'], /dist/],
    ['dist that is no object', (it) => void (manifestOf(it).dist = 'x' as never), /dist/],
    ['no dist-tags', (it) => void delete (it as Partial<PublishDocument>)['dist-tags'], /dist-tags/],
    ['no name', (it) => void delete (it as Partial<PublishDocument>).name, /name/],
    ['another name than the path', (it) => void (it.name = '@acme/other'), /@acme\/other/],
    ['another _id than the name', (it) => void (it._id = '@acme/other'), /_id is "@acme\/other"/],
    ['a manifest of another name', (it) => void (manifestOf(it)['name'] = 'other'), /name/],
    ['a manifest of another version', (it) => void (manifestOf(it)['version'] = '2.0.0'), /version/],
    ['a manifest that is no object', (it) => void (it.versions['1.0.0'] = null as never), /1\.0\.0/],
    ['two versions', (it) => void (it.versions['2.0.0'] = manifestOf(it)), /2 versions/],
    ['a tag for another version', (it) => void (it['dist-tags']['next'] = '2.0.0'), /next/],
    ['a tag that is a range', (it) => void (it['dist-tags'] = { '1.x': '1.0.0' }), /1\.x/],
    ['a tag that is a version', (it) => void (it['dist-tags'] = { 'v1.0.0': '1.0.0' }), /v1\.0\.0/],
    ['a tag that is blank', (it) => void (it['dist-tags'] = { ' ': '1.0.0' }), /dist-tag/],
    ['a tag that is too long', (it) => void (it['dist-tags'] = { ['t'.repeat(129)]: '1.0.0' }), /128/],
    ['a tag with a slash', (it) => void (it['dist-tags'] = { 'a/b': '1.0.0' }), /a\/b/],
    ['empty data', (it) => void (attachmentOf(it)['data'] = ''), /Attachment data is empty\./],
    ['data that is no text', (it) => void (attachmentOf(it)['data'] = 12), /data/],
    ['data that is not base64', (it) => void (attachmentOf(it)['data'] = '***'), /base64/],
    [
      'base64 with line breaks',
      (it) => void (attachmentOf(it)['data'] = String(attachmentOf(it)['data']).replace(/.{20}/, '$&\n')),
      /base64/,
    ],
    [
      'base64 cut short',
      (it) => void (attachmentOf(it)['data'] = String(attachmentOf(it)['data']).slice(0, -3)),
      /base64|length/,
    ],
    ['base64 for URLs', (it) => void (attachmentOf(it)['data'] = '-_-_'), /base64/],
    ['another length', (it) => void (attachmentOf(it)['length'] = 3), /length/],
    ['a length that is no number', (it) => void (attachmentOf(it)['length'] = 'many'), /length/],
    ['another shasum', (it) => void (manifestOf(it).dist['shasum'] = 'a'.repeat(40)), /shasum/],
    ['a shasum that is no text', (it) => void (manifestOf(it).dist['shasum'] = 1), /shasum/],
    ['another integrity', (it) => void (manifestOf(it).dist['integrity'] = integrityOf(Buffer.from('x'))), /integrity/],
    ['an integrity of no known kind', (it) => void (manifestOf(it).dist['integrity'] = 'md5-abc'), /integrity/],
    ['a manifest over 1 MiB', (it) => void (manifestOf(it)['extra'] = 'x'.repeat(1024 * 1024)), /too large/],
  ];

  function rename(document: PublishDocument, file: string): void {
    document._attachments = { [file]: attachmentOf(document) };
  }

  describe('what is wrong with a document: 400 that names it', () => {
    test.each(changes)('%s', async (_label, change, text) => {
      const document = await valid();
      change(document);
      const answer = await put(document);
      expect(answer.status).toBe(400);
      const { error, message } = answer.json<{ error: string; message: string }>();
      expect(error).toMatch(text);
      expect(message).toEqual(expect.any(String));
    });

    test('the same attachment twice', async () => {
      const text = JSON.stringify(await valid());
      const doubled = text.replace(/"_attachments":\{("[^"]+":\{.*?\})\}/, '"_attachments":{$1,$1}');
      expect(doubled).not.toBe(text);
      expect((await put(doubled)).status).toBe(400);
    });
  });

  describe('names and versions', () => {
    test.each([
      '@inv@lid_scope/package',
      '@acme/my_inv@@lid_package_name',
      'node_modules',
      'favicon.ico',
      '.hidden',
      'with space',
      'ünicode',
      'a'.repeat(215),
      '@acme/',
      '@/new',
    ])('the name %j', async (bad) => {
      const document = await makePublishDocument({ name: bad, version: '1.0.0' });
      const answer = await kit.send('PUT', `${kit.projectPath()}/${encodeURIComponent(bad)}`, { body: document });
      expect(answer.status).toBe(400);
      expect(answer.json()['message']).toMatch(/^Validation failed: Name should be a valid NPM package name/);
    });

    test.each(['@acme/sub/group', '@acme/../../package', '../../../etc/passwd', '@acme%2e%2e%2fpackage', '..', '.'])(
      'the path %j reaches nothing',
      async (bad) => {
        const document = await makePublishDocument({ name: bad, version: '1.0.0' });
        for (const path of [bad, encodeURIComponent(bad)]) {
          const answer = await kit.send('PUT', `${kit.projectPath()}/${path}`, { body: document });
          expect([400, 404, 405]).toContain(answer.status);
        }
      },
    );

    test.each([
      '1',
      '1.2',
      '1./2.3',
      '../../../../../1.2.3',
      '%2e%2e%2f1.2.3',
      'v1.0.0',
      '01.0.0',
      '1.0.0-01',
      ' 1.0.0',
      '1.0.0 ',
      'latest',
      `1.0.0-${'a'.repeat(260)}`,
    ])('the version %j', async (bad) => {
      const answer = await put(await makePublishDocument({ name, version: bad }));
      expect(answer.status).toBe(400);
      expect(answer.json()['message']).toBe('Validation failed: Version should follow SemVer: https://semver.org');
    });
  });

  describe('what is already there', () => {
    test('the same version in the same project: 403 Package already exists.', async () => {
      const answer = await put(await makePublishDocument({ name: '@local/present', version: '1.0.0' }), {
        name: '@local/present',
      });
      expect(answer.status).toBe(403);
      expect(answer.json()).toMatchObject({
        message: 'Package already exists.',
        error: expect.stringMatching(/@local\/present@1\.0\.0 .*local\/packages/),
      });
    });

    test('the same version in another project of the root group: 400', async () => {
      const other = await kit.project();
      await kit.member(other.id, developer.user.id, 30);
      const answer = await put(await makePublishDocument({ name: '@local/present', version: '1.0.0' }), {
        name: '@local/present',
        prefix: kit.projectPath(other.id),
      });
      expect(answer.status).toBe(400);
      expect(answer.json()['message']).toBe('Validation failed: Package already exists');
    });
  });

  describe('what is wrong with a tarball: 400', () => {
    const json = JSON.stringify({ name, version: '1.0.0' });
    const file = (path: string, content: string) => ({ name: path, content });
    const packageJson = file('package/package.json', json);
    const nestedName = (depth: number) => `{"name":${'['.repeat(depth)}${']'.repeat(depth)},"version":"1.0.0"}`;

    test.each<[string, () => Promise<Buffer> | Buffer, RegExp]>([
      ['no gzip', () => Buffer.from('not a tarball at all'), /gzip/i],
      ['gzip of no tar', () => gzipSync('hello'.repeat(500)), /tar/i],
      [
        'gzip cut short',
        async () => (await makeTarball({ name, version: '1.0.0' })).subarray(0, 60),
        /gzip|tar|cut|end/i,
      ],
      ['no package.json', () => makeTar([file('package/index.js', '1')]), /package\.json/],
      ['package.json in no folder', () => makeTar([file('package.json', json)]), /package\.json/],
      ['package.json that is no JSON', () => makeTar([file('package/package.json', '{')]), /package\.json/],
      ['package.json that is a list', () => makeTar([file('package/package.json', '[]')]), /package\.json/],
      ['another name inside', () => makeTarball({ name: 'other', version: '1.0.0' }), /other/],
      ['another version inside', () => makeTarball({ name, version: '2.0.0' }), /2\.0\.0/],
      ['no name inside', () => makeTarball({ version: '1.0.0' }), /name/],
      ['a name of lists in lists', () => makeTar([file('package/package.json', nestedName(5000))]), /name of a list/],
      [
        'a name nested without end',
        () => makeTar([file('package/package.json', nestedName(50_000))]),
        /name of a list/,
      ],
      [
        'a symbolic link',
        () => makeTar([packageJson, { name: 'package/link', type: 'symlink', linkname: '/etc/passwd' }]),
        /link/i,
      ],
      [
        'a hard link',
        () => makeTar([packageJson, { name: 'package/link', type: 'link', linkname: 'package/package.json' }]),
        /link/i,
      ],
      ['a device', () => makeTar([packageJson, { name: 'package/null', type: 'character-device' }]), /device/i],
      ['an absolute path', () => makeTar([packageJson, file('/etc/passwd', 'x')]), /\/etc\/passwd/],
      ['a path upwards', () => makeTar([packageJson, file('package/../../x', 'x')]), /\.\./],
    ])('%s', async (_label, make, text) => {
      const answer = await put(await around(await make()));
      expect(answer.status).toBe(400);
      expect(answer.json()['error']).toMatch(text);
    });

    test('a tarball over the limit: 413', async () => {
      const noise = Buffer.from(
        Array.from({ length: 80 * 1024 }, (_, index) => (index * 7919 + (index >> 3) * 104_729) & 0xff),
      );
      const tarball = await makeTar([packageJson, { name: 'package/noise', content: noise }]);
      const big = tarball.length > 64 * 1024 ? tarball : Buffer.concat([tarball, noise]);
      const answer = await put(await around(big));
      expect(answer.status).toBe(413);
      expect(answer.json()['message']).toBe('File is too large.');
    });
  });

  test('a body in an encoding that nobody knows: 415; one that is not what it says: 400', async () => {
    const body = Buffer.from(JSON.stringify(await valid()));
    const send = (encoding: string, bytes: Buffer) =>
      kit.send('PUT', `${kit.projectPath()}/@acme%2fnew`, { body: bytes, headers: { 'content-encoding': encoding } });
    expect((await send('rot13', body)).status).toBe(415);
    expect((await send('gzip', body)).status).toBe(400);
    expect((await send('gzip', gzipSync(body).subarray(0, 300))).status).toBe(400);
  });

  test('the 101st tag: 400, and the hundred stay', async () => {
    const { editor, store } = kit.registry.packages;
    const row = store.findPackage(1, '@local/present');
    for (let index = 1; index < 100; index += 1) await editor.setTag(row?.id ?? 0, `tag${index}`, '1.0.0', systemActor);
    const document = await makePublishDocument({ name: '@local/present', version: '2.0.0', tag: 'one-more' });
    const answer = await put(document, { name: '@local/present' });
    expect(answer.status).toBe(400);
    expect(answer.json()['error']).toContain('100 dist-tags');
    const direct = await kit.send('PUT', `${kit.projectPath()}/-/package/@local%2fpresent/dist-tags/one-more`, {
      body: '"1.0.0"',
    });
    expect(direct.status).toBe(400);
    expect(store.versionNames(row?.id ?? 0)).toEqual(['1.0.0']);
  });

  test('more package.json than a packument may hold: 413, and nothing is stored', async () => {
    const { store } = kit.registry.packages;
    const row = store.findPackage(1, '@local/present');
    const versions = store.versionNames(row?.id ?? 0);
    const size = vi.spyOn(store, 'manifestBytes').mockReturnValue(64 * 1024 * 1024);
    const answer = await put(await makePublishDocument({ name: '@local/present', version: '3.0.0' }), {
      name: '@local/present',
    });
    size.mockRestore();
    expect([answer.status, answer.json()['error']]).toEqual([413, expect.stringContaining('unpublish versions')]);
    expect(store.versionNames(row?.id ?? 0)).toEqual(versions);
    expect(store.manifestBytes(row?.id ?? 0)).toBeGreaterThan(200);
  });

  function tomorrow(): string {
    return new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);
  }
});
