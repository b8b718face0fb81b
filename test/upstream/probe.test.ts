import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { probeUpstream } from '../../server/upstream/proxy/probe-upstream.ts';
import type { UpstreamRow } from '../../server/upstream/upstream-store.ts';
import { publishAddress } from '../../server/contract/upstream.ts';
import { rootToken, TestRegistry } from '../support/registry.ts';
import { FakeUpstream } from './support/fake-upstream.ts';
import { addUpstream, rootActor, startWithClock } from './support/upstream-registry.ts';

type Reply = readonly [status: number, body: unknown];
interface Replies {
  readonly whoami?: Reply;
  readonly ping?: Reply;
  readonly missing: Reply;
}

const page: Reply = [200, '<!doctype html><title>Welcome</title>'];
const noRoute: Reply = [404, { error: '404 Not Found' }];

let upstream: FakeUpstream;
let registry: TestRegistry;
let row: UpstreamRow;

beforeEach(async () => {
  upstream = await FakeUpstream.start();
  ({ registry } = await startWithClock());
  row = await addUpstream(registry, upstream.url);
});
afterEach(async () => {
  await registry.stop();
  await upstream.goAway();
});

/** Tests the upstream while it replies like this; what is not given is like `missing`. */
async function test(replies: Replies) {
  upstream.answerAll((req, res) => {
    const [status, body] =
      (req.url === '/-/whoami' ? replies.whoami : req.url === '/-/ping' ? replies.ping : undefined) ?? replies.missing;
    const isText = typeof body === 'string';
    res.writeHead(status, { 'content-type': isText ? 'text/html' : 'application/json' });
    res.end(isText ? body : JSON.stringify(body));
  });
  const { client, connectivity } = registry.registry.upstream;
  const { ok, message } = await probeUpstream(client, connectivity, row);
  const { status, finding } = connectivity.stateOf(row.id);
  return { ok, message, status, finding };
}

describe('the test of a registry', () => {
  it.each<[string, Replies]>([
    ['npm', { whoami: [401, {}], ping: [200, {}], missing: [404, { error: 'Not found' }] }],
    ['Verdaccio', { whoami: [401, {}], ping: [200, {}], missing: [404, { error: 'no such package available' }] }],
    ['Artifactory', { whoami: [401, {}], ping: [200, {}], missing: [404, { errors: [{ status: 404 }] }] }],
    ['GitLab', { whoami: noRoute, ping: noRoute, missing: [404, { message: '404 Package Not Found' }] }],
    ['GitHub', { whoami: [200, { username: 'ada' }], missing: [404, { error: 'Package [x] was not found' }] }],
    ['an old Nexus', { ping: [400, '<html>'], missing: [404, { success: false, error: "Package 'x' not found" }] }],
    ['CouchDB', { missing: [404, { error: 'not_found', reason: 'missing' }] }],
    ['cnpm', { missing: [404, { error: '[NOT_FOUND] gatehouse-connection-test not found' }] }],
    ['one with a page in front', { whoami: page, ping: page, missing: [404, { error: 'Not found' }] }],
    ['one whose extras fail', { whoami: [501, ''], ping: [500, ''], missing: [404, { error: 'Not found' }] }],
  ])('accepts %s', async (_name, replies) => {
    expect(await test(replies)).toMatchObject({ ok: true, status: 'reachable', finding: null });
  });

  it.each<[string, Replies]>([
    ['a web page', { missing: page }],
    ['a web page that is too long', { missing: [200, 'x'.repeat(2 ** 21)] }],
    ['the 404 of a web server', { missing: [404, '<h1>Not Found</h1>'] }],
    ['a page that is forbidden', { missing: [403, '<h1>Forbidden</h1>'] }],
    ['another address of a GitLab', { missing: noRoute }],
    ['another API', { missing: [404, { message: 'Cannot GET /gatehouse-connection-test', error: 'Not Found' }] }],
    ['an API that has an answer to everything', { missing: [200, { ok: true }] }],
  ])('does not take %s for a registry', async (_name, replies) => {
    expect(await test(replies)).toMatchObject({
      ok: false,
      message: 'Reachable, but not an npm registry. Check its URL.',
      finding: 'no_registry',
    });
  });

  it('says where a Gatehouse has its registry when another URL of it was given', async () => {
    row = await addUpstream(registry, `${upstream.url}/npm`, { name: 'company', scopes: [], kind: 'gatehouse' });
    expect(await test({ missing: page })).toMatchObject({
      message: expect.stringContaining(`as in ${upstream.url}/api/v4/packages/npm.`) as string,
      finding: 'no_registry',
    });
  });

  it.each<[string, Replies]>([
    ['GitHub', { missing: [401, { error: 'unauthenticated' }] }],
    ['Verdaccio', { whoami: [401, {}], ping: [200, {}], missing: [401, { error: 'authorization required' }] }],
    ['GitLab', { whoami: noRoute, ping: noRoute, missing: [403, { message: '403 Forbidden' }] }],
    ['a proxy that asks for a login', { missing: [401, '<h1>Authorization Required</h1>'] }],
  ])('says that %s asks for a token, and that it refuses a wrong one', async (_name, replies) => {
    expect(await test(replies)).toMatchObject({
      ok: false,
      message: expect.stringContaining('Reachable, but it asks for a token (40') as string,
      finding: 'token_wanted',
    });
    const { upstreams } = registry.registry.upstream;
    row = await addUpstream(registry, upstream.url, { name: 'second', scopes: [], token: 'wrong' });
    expect(upstreams.require(row.id).token).not.toBeNull();
    expect(await test(replies)).toMatchObject({ ok: false, finding: 'token_refused' });
  });

  it('says that the server fails where it answers nothing else', async () => {
    expect(await test({ missing: [500, ''] })).toMatchObject({
      ok: false,
      message: expect.stringContaining('answers with an error (500)') as string,
      finding: null,
    });
  });

  it('says that the project to publish to is not there, with the token that goes to it', async () => {
    const company = await TestRegistry.start();
    const url = `${company.origin}${company.instancePath}`;
    const { client, connectivity } = registry.registry.upstream;
    for (const kind of ['gatehouse', 'gitlab'] as const) {
      const probe = async (target: string) => {
        const pushUrl = publishAddress(kind, url, target);
        const name = `${kind}${target.replace('/', '-')}`;
        return probeUpstream(
          client,
          connectivity,
          await addUpstream(registry, url, { name, kind, pushUrl, scopes: [], token: rootToken }),
        );
      };
      expect(await probe('local/packages')).toMatchObject({ ok: true });
      expect(await probe('1')).toMatchObject({ ok: true });
      expect(await probe('acme/typo')).toMatchObject({
        ok: false,
        message: `${kind}acme-typo has no project acme/typo that its token may see.`,
      });
    }
    await company.stop();
  });

  it('gives way to a packument and to a change of the settings', async () => {
    const finding = () => registry.registry.upstream.connectivity.stateOf(row.id).finding;
    await test({ missing: page });
    expect(finding()).toBe('no_registry');
    upstream.override = undefined;
    await upstream.publish('left-pad', '1.0.0');
    await registry.get(`${registry.projectPath()}/left-pad`);
    expect(finding()).toBeNull();
    await test({ missing: page });
    await registry.registry.upstream.updateUpstream(row.id, { url: `${upstream.url}/npm` }, rootActor);
    expect(finding()).toBeNull();
  });
});
