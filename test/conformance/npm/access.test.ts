import { beforeAll, expect, test } from 'vitest';
import { systemActor } from '../../../server/accounts/change.ts';
import { makePublishDocument } from '../../support/publish-document.ts';
import type { TestUser } from '../../support/registry.ts';
import { kit, useRegistry } from '../../support/use-registry.ts';

useRegistry('file');
let developer: TestUser;
let reporter: TestUser;
let outsider: TestUser;

beforeAll(async () => {
  developer = await kit.user({ username: 'dan' });
  reporter = await kit.user({ username: 'rita' });
  outsider = await kit.user({ username: 'otto' });
  await kit.member(1, developer.user.id, 30);
  await kit.member(1, reporter.user.id, 20);
  await kit.publish({ name: '@acme/first', version: '1.0.0', token: developer.token });
});

const facet = (what: string, prefix = kit.projectPath()) => `${prefix}/-/package/@acme%2ffirst/${what}`;
const npm = { 'user-agent': 'npm/12.2.0 node/v24.21.0' };
const pnpm = { 'user-agent': 'pnpm/12.21.0 npm/? node/v24.21.0' };

test('visibility and access say what the project is, under both encodings of the name', async () => {
  for (const prefix of [kit.projectPath(), kit.groupPath('local'), kit.instancePath]) {
    expect((await kit.get(facet('visibility', prefix))).json()).toEqual({ public: false });
    expect((await kit.get(`${prefix}/-/package/@acme/first/visibility`)).json()).toEqual({ public: false });
    expect((await kit.get(facet('access', prefix))).json()).toMatchObject({
      access: 'restricted',
      publish_requires_tfa: false,
    });
    expect((await kit.get(facet('visibility', prefix), { token: undefined })).status).toBe(401);
    expect((await kit.get(facet('visibility', prefix), { token: outsider.token })).status).toBe(404);
  }
});

test('setting what is so already is fine; the rest is explained', async () => {
  const set = (body: unknown, token?: string) =>
    kit.send('POST', facet('access'), { body, ...(token === undefined ? {} : { token }) });
  expect((await set({ access: 'restricted' })).status).toBe(200);
  expect((await set({ publish_requires_tfa: false })).status).toBe(200);
  const toPublic = await set({ access: 'public' });
  expect(toPublic.status).toBe(400);
  expect(toPublic.json()['error']).toMatch(/project local\/packages.*PUT \/api\/v4\/projects\/1/);
  expect((await set({ publish_requires_tfa: true })).json()['error']).toMatch(/two-factor/);
  expect((await set({ access: 'restricted' }, developer.token)).status).toBe(403);
});

test('collaborators are an object for npm and a list for pnpm', async () => {
  const all = { root: 'read-write', dan: 'read-write', rita: 'read-only' };
  expect((await kit.get(facet('collaborators'), { headers: npm })).json()).toEqual(all);
  expect(
    (await kit.get(facet('collaborators?format=cli'), { headers: { 'user-agent': 'npm/6.14.18' } })).json(),
  ).toEqual(all);
  expect((await kit.get(facet('collaborators?format=cli&user=rita'), { headers: pnpm })).json()).toEqual([
    { user: 'rita', permissions: 'read-only' },
  ]);
  expect((await kit.get(facet('collaborators'), { token: undefined })).status).toBe(401);
});

test('packages of a user, of an organisation and of a team', async () => {
  const group = await kit.directory.groups.create(systemActor, {
    name: 'Team',
    path: 'team',
    parentId: 1,
    description: '',
    visibility: 'private',
  });
  const project = await kit.project({ path: 'inner', namespaceId: group.id });
  await kit.publish({ name: 'inner', version: '1.0.0', projectId: project.id });
  const at = (path: string, token?: string) =>
    kit.get(`${kit.instancePath}/-/${path}`, token === undefined ? {} : { token });
  expect((await at('user/dan/package')).json()).toEqual({ '@acme/first': 'read-write' });
  expect((await at('user/dan/package', outsider.token)).json()).toEqual({});
  expect((await at('-/package', developer.token)).json()).toEqual({ '@acme/first': 'read-write' });
  expect((await at('org/local/package')).json()).toMatchObject({ '@acme/first': 'read-write', inner: 'read-write' });
  expect((await at('org/%40local/package')).status).toBe(200);
  expect((await at('team/local/team/package')).json()).toEqual({ inner: 'read-write' });
  expect((await at('org/local/team?format=cli')).json()).toEqual(['local:team']);
  expect((await at('org/local/user')).json()).toEqual({ root: 'owner' });
  expect((await at('team/local/team/user')).json()).toEqual(['root']);
  for (const path of ['org/nothing/package', 'org/1/package', 'team/local/none/user']) {
    const missing = await at(path);
    expect(missing.status).toBe(404);
    expect(missing.json()['error']).toMatch(/group/);
  }
  expect((await at('org/local/user', outsider.token)).status).toBe(404);
});

test('what is decided elsewhere says where, instead of a bare 404', async () => {
  const calls: [string, string][] = [
    ['PUT', 'org/local/user'],
    ['DELETE', 'org/local/user'],
    ['PUT', 'org/local/team'],
    ['DELETE', 'team/local/x'],
    ['PUT', 'team/local/x/user'],
    ['PUT', 'team/local/x/package'],
    ['DELETE', 'team/local/x/package'],
    ['GET', 'npm/v1/hooks'],
    ['POST', 'package/@acme%2ffirst/trust'],
    ['DELETE', 'package/@acme%2ffirst/trust/some-id'],
  ];
  for (const [method, path] of calls) {
    const answer = await kit.send(method, `${kit.projectPath()}/-/${path}`, { body: {} });
    expect(answer.status, path).toBe(400);
    expect(answer.json<{ error: string }>().error.length, path).toBeGreaterThan(40);
    expect((await kit.send(method, `${kit.projectPath()}/-/${path}`, { body: {}, token: undefined })).status).toBe(401);
  }
  expect((await kit.get(facet('trust'))).json()).toEqual([]);
});

test('the exchange of a CI identity for a token is refused whatever token comes along', async () => {
  const answer = await kit.send('POST', `${kit.projectPath()}/-/npm/v1/oidc/token/exchange/package/@acme%2ffirst`, {
    token: 'eyJhbGciOiJSUzI1NiJ9.e30.x',
  });
  expect(answer.status).toBe(404);
  expect(answer.json()['error']).toMatch(/token create/);
});

test("owners are added and removed in pnpm's way and in npm's", async () => {
  const owners = async () => (await kit.get(facet('owners'))).json<{ user: string }[]>().map(({ user }) => user);
  expect(await owners()).toEqual(['dan']);
  expect((await kit.send('PUT', facet('owners'), { body: { user: 'rita' } })).status).toBe(200);
  expect(await owners()).toEqual(['dan', 'rita']);
  expect((await kit.send('DELETE', facet('owners/dan'))).status).toBe(200);
  expect(await owners()).toEqual(['rita']);
  const unknown = await kit.send('PUT', facet('owners'), { body: { user: 'nobody' } });
  expect(unknown.status).toBe(404);
  expect(unknown.json()['error']).toContain('nobody');
  expect((await kit.send('PUT', facet('owners'), { body: { user: 'dan' }, token: developer.token })).status).toBe(403);
  const { _rev: revision } = (await kit.get(`${kit.projectPath()}/@acme%2ffirst?write=true`)).json<{ _rev: string }>();
  const changed = await kit.send('PUT', `${kit.projectPath()}/@acme%2ffirst/-rev/${revision}`, {
    body: { _id: '@acme/first', _rev: revision, maintainers: [{ name: 'dan', email: 'dan@example.test' }] },
  });
  expect(changed.status).toBe(200);
  expect(await owners()).toEqual(['dan']);
  const stale = await kit.send('PUT', `${kit.projectPath()}/@acme%2ffirst/-rev/${revision}`, {
    body: { _id: '@acme/first', _rev: revision, maintainers: [{ name: 'rita', email: 'rita@example.test' }] },
  });
  expect(stale.status).toBe(409);
  expect(await owners()).toEqual(['dan']);
});

test("stars in pnpm's way and in npm's show at once, also in answers that were kept", async () => {
  const packument = () =>
    kit.get(`${kit.projectPath()}/@acme%2ffirst`).then((answer) => answer.json<{ users: object; _rev: string }>());
  await packument();
  expect((await packument()).users).toEqual({});
  const star = (method: string, path: string, body?: unknown) =>
    kit.send(method, `${kit.projectPath()}/-/user/${path}`, {
      token: reporter.token,
      ...(body === undefined ? {} : { body }),
    });
  expect((await star('PUT', 'v1/star', { name: '@acme/first', package: '@acme/first' })).status).toBe(200);
  expect((await packument()).users).toEqual({ rita: true });
  expect((await star('GET', 'v1/star')).json()).toEqual(['@acme/first']);
  expect((await kit.get(`${kit.projectPath()}/-/user/rita/stars`)).json()).toEqual(['@acme/first']);
  const view = await kit.get(`${kit.projectPath()}/-/_view/starredByUser?key=%22rita%22`);
  expect(view.json()).toMatchObject({ rows: [{ value: '@acme/first' }] });
  expect((await star('DELETE', 'v1/star', { package: '@acme/first' })).status).toBe(200);
  expect((await packument()).users).toEqual({});
  expect((await star('PUT', 'package/@acme%2ffirst/star')).status).toBe(200);
  expect((await star('DELETE', 'package/@acme/first/star')).status).toBe(200);
  const { _rev: revision } = await packument();
  const byDocument = await kit.send('PUT', `${kit.projectPath()}/@acme%2ffirst`, {
    token: reporter.token,
    body: { _id: '@acme/first', _rev: revision, users: { rita: true, dan: true } },
  });
  expect(byDocument.status).toBe(200);
  expect((await packument()).users).toEqual({ rita: true });
  expect((await star('PUT', 'v1/star', {})).status).toBe(400);
  expect((await kit.get(`${kit.projectPath()}/-/_view/starredByUser?key=rita`)).status).toBe(400);
});

test('a token that only reads sets no star, in no way of setting one', async () => {
  const base = kit.projectPath();
  for (const scope of ['read_api', 'read_package_registry', 'read_user'] as const) {
    const token = await kit.token(developer.user.id, [scope]);
    const document = { _id: '@acme/first', users: { dan: true } };
    const attempts = [
      await kit.send('PUT', `${base}/-/user/v1/star`, { token, body: { package: '@acme/first' } }),
      await kit.send('DELETE', `${base}/-/user/v1/star`, { token, body: { package: '@acme/first' } }),
      await kit.send('PUT', `${base}/-/user/package/@acme%2ffirst/star`, { token }),
      await kit.send('PUT', `${base}/@acme%2ffirst`, { token, body: document }),
      await kit.send('PUT', `${base}/@acme%2ffirst/-rev/1-0`, { token, body: document }),
    ];
    expect(attempts.map(({ status }) => status)).toEqual([403, 403, 403, 403, 403]);
  }
  const packument = await kit.get(`${base}/@acme%2ffirst`);
  expect(packument.json()['users']).not.toHaveProperty('dan');
});

test('a provenance bundle is kept and served as it came', async () => {
  const document = await makePublishDocument({ name: '@acme/proven', version: '1.0.0' });
  const statement = { _type: 'https://in-toto.io/Statement/v1', predicateType: 'https://slsa.dev/provenance/v1' };
  const bundle = {
    mediaType: 'application/vnd.dev.sigstore.bundle.v0.3+json',
    dsseEnvelope: {
      payload: Buffer.from(JSON.stringify(statement)).toString('base64'),
      payloadType: 'application/vnd.in-toto+json',
    },
  };
  document._attachments['@acme/proven-1.0.0.sigstore'] = {
    content_type: bundle.mediaType,
    data: JSON.stringify(bundle),
    length: JSON.stringify(bundle).length,
  };
  expect((await kit.send('PUT', `${kit.projectPath()}/@acme%2fproven`, { body: document })).status).toBe(200);
  const manifest = (await kit.get(`${kit.groupPath('local')}/@acme%2fproven/1.0.0`)).json<{
    dist: { attestations: { url: string; provenance: unknown } };
  }>();
  const { url, provenance } = manifest.dist.attestations;
  expect(provenance).toEqual({ predicateType: statement.predicateType });
  expect(url.startsWith(`${kit.origin}/api/v4/groups/1/-/packages/npm/-/npm/v1/attestations/`)).toBe(true);
  const served = await kit.get(url.slice(kit.origin.length));
  expect(served.json()).toEqual({ attestations: [{ predicateType: statement.predicateType, bundle }] });
  const encoded = await kit.get(`${kit.projectPath()}/-/npm/v1/attestations/@acme%2fproven@1.0.0`);
  expect(encoded.status).toBe(200);
  const none = await kit.get(`${kit.projectPath()}/-/npm/v1/attestations/@acme%2ffirst@1.0.0`);
  expect(none.status).toBe(404);
  expect(none.json()['error']).toContain('without provenance');
  expect((await kit.get(url.slice(kit.origin.length), { token: undefined })).status).toBe(401);
});

test('a provenance bundle of megabytes, which takes long to parse, is refused', async () => {
  const document = await makePublishDocument({ name: '@acme/heavy', version: '1.0.0' });
  const data = `{"dsseEnvelope":{"payload":"e30="},"x":[${'[],'.repeat(200_000)}0]}`;
  document._attachments['@acme/heavy-1.0.0.sigstore'] = { content_type: 'x', data, length: data.length };
  expect((await kit.send('PUT', `${kit.projectPath()}/@acme%2fheavy`, { body: document })).status).toBe(413);
  expect((await kit.get(`${kit.projectPath()}/@acme%2fheavy`)).status).toBe(404);
});

test('ping, whoami and keys answer at every prefix', async () => {
  for (const prefix of [kit.projectPath(), kit.groupPath('local'), kit.instancePath]) {
    expect((await kit.get(`${prefix}/-/ping`, { token: undefined })).text).toBe('{}');
    expect((await kit.get(`${prefix}/-/ping?write=true`)).status).toBe(200);
    expect((await kit.get(`${prefix}/-/whoami`)).json()).toEqual({ username: 'root' });
    const anonymous = await kit.get(`${prefix}/-/whoami`, { token: undefined });
    expect(anonymous.status).toBe(401);
    expect(anonymous.headers['www-authenticate']).toContain('Bearer');
    expect((await kit.get(`${prefix}/-/npm/v1/keys`, { token: undefined })).json()).toMatchObject({
      keys: [{ keyid: expect.stringMatching(/^SHA256:/), keytype: 'ecdsa-sha2-nistp256' }],
    });
    expect((await kit.get(`${prefix}/-/no/such/service`)).json()).toEqual({ error: '404 Not Found' });
  }
});
