import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { OutboxOperation } from '../../server/contract/outbox.ts';
import type { UpstreamRow } from '../../server/upstream/upstream-store.ts';
import type { IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { publishAddress } from '../../server/contract/upstream.ts';
import { OutboundError } from '../../server/upstream/network/outbound-error.ts';
import { encodeName, rootToken, TestRegistry } from '../support/registry.ts';
import { makeTarball } from '../support/tarballs.ts';
import { FakeUpstream } from './support/fake-upstream.ts';
import { addUpstream, pushEnded, pushTo, readPackument, rootActor } from './support/upstream-registry.ts';

let laptop: TestRegistry;
let company: TestRegistry;
let upstream: UpstreamRow;

beforeEach(async () => {
  [laptop, company] = await Promise.all([TestRegistry.start(), TestRegistry.start()]);
  upstream = await addUpstream(laptop, `${company.origin}${company.projectPath()}`, {
    name: 'company',
    kind: 'gatehouse',
    scopes: [],
    token: rootToken,
    pushSelection: ['@acme'],
  });
});
afterEach(async () => {
  await laptop.stop();
  await company.stop();
});

const outbox = () => laptop.registry.upstream.outbox;

const push = () => pushTo(laptop, upstream);
const ended = () => pushEnded(laptop, upstream);

const summary = (operations: readonly OutboxOperation[]): string[] =>
  operations.map(({ kind, name, version, tag, verdict }) => [kind, name, tag ?? version, verdict].join(' '));

const packument = async (registry: TestRegistry, name = '@acme/tool') => (await readPackument(registry, name))!;
const versionsAt = async (registry: TestRegistry, name?: string) =>
  Object.keys((await packument(registry, name)).versions);

async function tag(registry: TestRegistry, name: string, tag: string, version: string): Promise<void> {
  const path = `${registry.projectPath()}/-/package/${encodeName(name)}/dist-tags/${tag}`;
  expect((await registry.send('PUT', path, { body: JSON.stringify(version) })).status).toBe(204);
}

async function versionIn(req: IncomingMessage): Promise<string> {
  const { versions } = JSON.parse((await buffer(req)).toString()) as { versions: object };
  return Object.keys(versions).join();
}

const editorOf = (registry: TestRegistry) => registry.registry.packages.editor;
const idOf = (registry: TestRegistry, name: string): number =>
  registry.registry.packages.store.packagesNamed(name)[0]?.id ?? 0;

describe('the outbox', () => {
  it('plans without changing anything, then carries publishes, tags and deprecations in order, bytes unchanged', async () => {
    await laptop.publish({ name: '@acme/tool', version: '1.0.0' });
    await laptop.publish({ name: '@acme/tool', version: '1.1.0-beta.1', tag: 'beta' });
    await tag(laptop, '@acme/tool', 'stable', '1.0.0');
    await editorOf(laptop).deprecate(idOf(laptop, '@acme/tool'), new Map([['1.0.0', 'too old']]), rootActor);
    await laptop.publish({ name: 'private-thing', version: '1.0.0' });

    const plan = await outbox().plan(upstream.id, []);
    expect(summary(plan)).toEqual([
      'publish @acme/tool 1.0.0 new',
      'tag.set @acme/tool latest new',
      'publish @acme/tool 1.1.0-beta.1 new',
      'tag.set @acme/tool beta new',
      'tag.set @acme/tool stable new',
      'deprecate @acme/tool 1.0.0 new',
    ]);
    expect((await company.get(`${company.projectPath()}/@acme%2ftool`)).status).toBe(404);

    const status = await push();
    expect(status).toMatchObject({ total: 6, done: 6, failed: 0, conflicts: 0 });
    const [here, there] = [await packument(laptop), await packument(company)];
    expect(there['dist-tags']).toEqual({ latest: '1.0.0', beta: '1.1.0-beta.1', stable: '1.0.0' });
    expect(there.versions['1.0.0']?.deprecated).toBe('too old');
    for (const version of ['1.0.0', '1.1.0-beta.1']) {
      expect(there.versions[version]?.dist.integrity).toBe(here.versions[version]?.dist.integrity);
    }
    expect((await company.get(`${company.projectPath()}/private-thing`)).status).toBe(404);
    expect(await outbox().plan(upstream.id, [])).toEqual([]);
  });

  it('publishes, tags and unpublishes at a project that is named by its path', async () => {
    for (const kind of ['gatehouse', 'gitlab'] as const) {
      const name = `@acme/${kind}`;
      const url = `${company.origin}${company.instancePath}`;
      const pushUrl = publishAddress(kind, url, 'local/packages');
      const at = await addUpstream(laptop, url, {
        name: kind,
        kind,
        scopes: [],
        token: rootToken,
        pushUrl,
        pushSelection: [name],
      });
      for (const version of ['1.0.0', '1.1.0']) await laptop.publish({ name, version });
      await tag(laptop, name, 'stable', '1.0.0');
      expect(await pushTo(laptop, at)).toMatchObject({ failed: 0, conflicts: 0 });
      expect((await packument(company, name))['dist-tags']).toEqual({ latest: '1.1.0', stable: '1.0.0' });
      await laptop.registry.packages.unpublisher.unpublishVersion(idOf(laptop, name), '1.1.0', rootActor);
      expect(await pushTo(laptop, at)).toMatchObject({ failed: 0, conflicts: 0 });
      expect(await versionsAt(company, name)).toEqual(['1.0.0']);
    }
  });

  it('says that the project to publish to is not there, instead of listing everything as new', async () => {
    await laptop.publish({ name: '@acme/tool', version: '1.0.0' });
    const pushUrl = publishAddress('gatehouse', company.origin, 'acme/typo');
    await laptop.registry.upstream.updateUpstream(upstream.id, { pushUrl }, rootActor);
    const explanation = 'company has no project acme/typo that its token may see.';
    expect((await outbox().plan(upstream.id, []))[0]).toMatchObject({ verdict: 'unknown', explanation });
    expect((await push()).operations[0]).toMatchObject({ state: 'failed', error: explanation });
    await laptop.registry.upstream.updateUpstream(upstream.id, { pushUrl: null }, rootActor);
    expect(await push()).toMatchObject({ done: 2, failed: 0 });
  });

  it('lists what waits without a request, also what the settings do not name yet', async () => {
    await laptop.publish({ name: '@acme/tool', version: '1.0.0' });
    await laptop.publish({ name: 'tiny', version: '1.0.0' });
    laptop.registry.upstream.connectivity.mode = 'on';
    const states = () =>
      outbox()
        .pending.describeWaiting(upstream.id)
        .operations.map(({ name, state }) => `${name} ${state}`);
    expect(states()).toEqual(['@acme/tool waiting', '@acme/tool waiting']);
    expect(outbox().pending.describeWaiting(upstream.id)).toMatchObject({
      selection: ['@acme'],
      proposed: false,
      lacks: null,
    });

    const unset = { url: `${company.origin}/api/v4/packages/npm`, token: null, scopes: ['*'], pushSelection: [] };
    await laptop.registry.upstream.updateUpstream(upstream.id, unset, rootActor);
    expect(outbox().pending.describeWaiting(upstream.id)).toMatchObject({
      selection: ['@acme/*', 'tiny'],
      pushFrom: { projectIds: [1] },
      proposed: true,
      lacks: 'pushUrl',
    });
    expect(states()).toHaveLength(4);
    const pushUrl = `${company.origin}${company.projectPath()}`;
    await laptop.registry.upstream.updateUpstream(upstream.id, { pushUrl }, rootActor);
    expect(outbox().pending.describeWaiting(upstream.id).lacks).toBe('token');
  });

  it('counts what waits to be sent by hand, and apart from it what needs a person, but nothing that is only proposed', async () => {
    const counts = () => outbox().pending.counts.map(({ upstreamId: _id, ...rest }) => rest);
    await laptop.registry.upstream.updateUpstream(upstream.id, { scopes: ['*'], pushSelection: [] }, rootActor);
    await laptop.publish({ name: '@acme/tool', version: '1.0.0', files: { 'index.js': 'ours' } });
    expect(outbox().pending.describeWaiting(upstream.id)).toMatchObject({ proposed: true, operations: [{}, {}] });
    expect(counts()).toEqual([]);
    await laptop.registry.upstream.updateUpstream(upstream.id, { pushSelection: ['@acme'] }, rootActor);
    expect(counts()).toEqual([{ toSend: 2, conflicts: 0, failed: 0 }]);
    await company.publish({ name: '@acme/tool', version: '1.0.0', files: { 'index.js': 'theirs' } });
    await push();
    // The tag waits behind the version.
    expect(counts()).toEqual([{ toSend: 1, conflicts: 1, failed: 0 }]);
  });

  it('compares with a registry that is back, although its next probe is to come', async () => {
    await laptop.publish({ name: '@acme/tool', version: '1.0.0' });
    const gone = new OutboundError('network', 'nothing listens there');
    laptop.registry.upstream.connectivity.failed(upstream.id, gone);
    expect(summary(await outbox().plan(upstream.id, []))).toContain('publish @acme/tool 1.0.0 new');
  });

  it('sends nothing twice when the answer of a publish was lost', async () => {
    const release = { name: '@acme/tool', version: '1.0.0' };
    const tarball = await makeTarball(release);
    await laptop.publish({ ...release, tarball });
    // The same bytes arrived, but here nobody knows.
    await company.publish({ ...release, tarball });
    const before = company.registry.audit.count({ search: 'package.published' });
    const plan = await outbox().plan(upstream.id, []);
    expect(summary(plan)).toEqual(['publish @acme/tool 1.0.0 same', 'tag.set @acme/tool latest same']);
    expect(await push()).toMatchObject({ done: 2, conflicts: 0 });
    expect(company.registry.audit.count({ search: 'package.published' })).toBe(before);
  });

  it('stops at a version with other bytes and shows both, and lets other packages pass', async () => {
    await laptop.publish({ name: '@acme/tool', version: '1.0.0', files: { 'index.js': 'ours' } });
    await laptop.publish({ name: '@acme/tool', version: '1.1.0' });
    await laptop.publish({ name: '@acme/other', version: '1.0.0' });
    await company.publish({ name: '@acme/tool', version: '1.0.0', files: { 'index.js': 'theirs' } });
    const status = await push();
    const stopped = status.operations.filter((operation) => operation.state === 'conflict');
    expect(stopped).toHaveLength(1);
    expect(stopped[0]).toMatchObject({ kind: 'publish', name: '@acme/tool', version: '1.0.0' });
    expect(stopped[0]?.here).toContain((await packument(laptop)).versions['1.0.0']?.dist.integrity);
    expect(stopped[0]?.there).toContain((await packument(company)).versions['1.0.0']?.dist.integrity);
    expect(await versionsAt(company)).toEqual(['1.0.0']);
    expect(await versionsAt(company, '@acme/other')).toEqual(['1.0.0']);

    await expect(outbox().resolve(upstream.id, stopped[0]?.changeId ?? 0, 'ours')).rejects.toThrow(/can't be replaced/);
    await outbox().resolve(upstream.id, stopped[0]?.changeId ?? 0, 'theirs');
    const after = await ended();
    expect(await versionsAt(company)).toEqual(['1.0.0', '1.1.0']);
    // "latest" is on their version, so it moves only if so decided.
    expect(after).toMatchObject({ conflicts: 1, failed: 0 });
    expect((await packument(company))['dist-tags']['latest']).toBe('1.0.0');
    const tagged = after.operations.find((operation) => operation.state === 'conflict');
    await outbox().resolve(upstream.id, tagged?.changeId ?? 0, 'ours');
    expect(await ended()).toMatchObject({ conflicts: 0, failed: 0 });
    expect((await packument(company))['dist-tags']['latest']).toBe('1.1.0');
  });

  it('skips what waits, which stays in the list, and sends the rest', async () => {
    for (const version of ['1.0.0', '1.1.0']) await laptop.publish({ name: '@acme/tool', version });
    const waits = () => outbox().pending.describeWaiting(upstream.id).operations;
    const [first, published, tagged] = waits().map(({ changeId }) => changeId);
    await expect(outbox().resolve(upstream.id, first ?? 0, 'retry')).rejects.toThrow(/needs a decision/);
    for (const id of [published, tagged]) await outbox().resolve(upstream.id, id ?? 0, 'theirs');
    expect(outbox().status(upstream.id)).toMatchObject({ running: false, total: 2 });
    expect(
      outbox()
        .status(upstream.id)
        .operations.map(({ state }) => state),
    ).toEqual(['skipped', 'skipped']);
    // The tag that the skipped one would have moved stays where it was.
    expect(summary(waits())).toEqual(['publish @acme/tool 1.0.0 new', 'tag.set @acme/tool latest new']);
    expect(await push()).toMatchObject({ conflicts: 0, failed: 0 });
    expect(await versionsAt(company)).toEqual(['1.0.0']);
    expect((await packument(company))['dist-tags']).toEqual({ latest: '1.0.0' });
    await expect(outbox().resolve(upstream.id, first ?? 0, 'theirs')).rejects.toThrow(/needs a decision/);
  });

  it('takes a skip back, and sends the change in its turn with the next push', async () => {
    for (const version of ['1.0.0', '1.1.0']) await laptop.publish({ name: '@acme/tool', version });
    const waits = () => outbox().pending.describeWaiting(upstream.id).operations;
    const before = waits();
    const published = before[1]?.changeId ?? 0;
    await outbox().resolve(upstream.id, published, 'theirs');
    await outbox().resolve(upstream.id, published, 'retry');
    expect(waits()).toEqual(before);
    expect(outbox().status(upstream.id)).toMatchObject({ running: false, total: 0 });
    expect(await push()).toMatchObject({ conflicts: 0, failed: 0 });
    expect(await versionsAt(company)).toEqual(['1.0.0', '1.1.0']);
  });

  it('does not send a skipped change that a later one replaced', async () => {
    await laptop.publish({ name: '@acme/tool', version: '1.0.0' });
    await push();
    await tag(laptop, '@acme/tool', 'stable', '1.0.0');
    const [skipped] = outbox().pending.describeWaiting(upstream.id).operations;
    await outbox().resolve(upstream.id, skipped?.changeId ?? 0, 'theirs');
    await laptop.publish({ name: '@acme/tool', version: '1.1.0', tag: 'stable' });
    await push();
    await expect(outbox().resolve(upstream.id, skipped?.changeId ?? 0, 'retry')).rejects.toThrow(/later change/);
    expect((await packument(company))['dist-tags']['stable']).toBe('1.1.0');
  });

  it('skips nothing while a push is running', async () => {
    await laptop.publish({ name: '@acme/tool', version: '1.0.0' });
    const [change] = outbox().pending.describeWaiting(upstream.id).operations;
    const starting = outbox().start(upstream.id, []);
    await expect(outbox().resolve(upstream.id, change?.changeId ?? 0, 'theirs')).rejects.toThrow(/is running/);
    await starting;
    expect(await ended()).toMatchObject({ done: 2 });
  });

  it('does not take a tag away from a version of somebody else unless told to', async () => {
    await company.publish({ name: '@acme/tool', version: '2.0.0' });
    await laptop.publish({ name: '@acme/tool', version: '1.6.0' });
    const status = await push();
    expect(status).toMatchObject({ done: 1, conflicts: 1 });
    const stopped = status.operations.find((operation) => operation.state === 'conflict');
    expect(stopped).toMatchObject({ kind: 'tag.set', tag: 'latest', here: '1.6.0', there: '2.0.0' });
    const there = await packument(company);
    expect(there['dist-tags']).toEqual({ latest: '2.0.0' });
    expect(Object.keys(there.versions)).toEqual(['2.0.0', '1.6.0']);
    await outbox().resolve(upstream.id, stopped?.changeId ?? 0, 'ours');
    await ended();
    expect((await packument(company))['dist-tags']['latest']).toBe('1.6.0');
  });

  it.each(['gatehouse', 'verdaccio', 'gitlab'] as const)('leaves no tag at a %s that is not here', async (kind) => {
    await laptop.registry.upstream.updateUpstream(upstream.id, { kind }, rootActor);
    for (const version of ['1.0.0', '1.1.0', '1.2.0']) await laptop.publish({ name: '@acme/tool', version });
    await tag(laptop, '@acme/tool', 'latest', '1.1.0');
    expect(await push()).toMatchObject({ failed: 0, conflicts: 0 });
    const there = await packument(company);
    expect(there['dist-tags']).toEqual({ latest: '1.1.0' });
    expect(Object.keys(there.versions)).toEqual(['1.0.0', '1.1.0', '1.2.0']);
  });

  it('says in the audit trail how much of a push arrived, once for each that did something', async () => {
    const sent = () =>
      laptop.registry.people.audit
        .list({ search: 'outbox.sent' }, { limit: 100, offset: 0 })
        .map(({ actorName, targetName, after }) => [actorName, targetName, after]);
    await company.publish({ name: '@acme/tool', version: '2.0.0' });
    await laptop.publish({ name: '@acme/tool', version: '1.6.0' });
    await push();
    expect(sent()).toEqual([['root', 'company', { sent: 1, not_sent: 1 }]]);
    const conflict = outbox()
      .status(upstream.id)
      .operations.find(({ state }) => state === 'conflict');
    await outbox().resolve(upstream.id, conflict?.changeId ?? 0, 'theirs');
    await ended();
    await push();
    expect(sent()).toHaveLength(1);
    await laptop.publish({ name: '@acme/other', version: '1.0.0' });
    await push();
    expect(sent()[0]).toEqual(['root', 'company', { sent: 2, not_sent: 0 }]);
  });

  it('removes with the next push the tag that a push left which was cut after its publish', async () => {
    const cut = { name: '@acme/tool', version: '1.0.0' };
    await laptop.publish(cut);
    await company.publish({ ...cut, tag: 'gatehouse-temporary' });
    expect(await push()).toMatchObject({ done: 2, failed: 0, conflicts: 0 });
    expect((await packument(company))['dist-tags']).toEqual({ latest: '1.0.0' });
  });

  it('carries unpublishes of what it had sent, and leaves out what was undone before it was sent', async () => {
    await laptop.publish({ name: '@acme/tool', version: '1.0.0' });
    await laptop.publish({ name: '@acme/tool', version: '1.1.0' });
    await push();
    await laptop.registry.packages.unpublisher.unpublishVersion(idOf(laptop, '@acme/tool'), '1.1.0', rootActor);
    await laptop.publish({ name: '@acme/tool', version: '9.9.9' });
    await laptop.registry.packages.unpublisher.unpublishVersion(idOf(laptop, '@acme/tool'), '9.9.9', rootActor);
    expect(summary(await outbox().plan(upstream.id, []))).toEqual(['unpublish @acme/tool 1.1.0 new']);
    expect(await push()).toMatchObject({ failed: 0, conflicts: 0 });
    expect(await versionsAt(company)).toEqual(['1.0.0']);
    await laptop.registry.packages.unpublisher.unpublishPackage(idOf(laptop, '@acme/tool'), rootActor);
    await push();
    expect((await company.get(`${company.projectPath()}/@acme%2ftool`)).status).toBe(404);
  });

  it('sends each version once, however many pushes begin at the same moment', async () => {
    const { upstreams } = laptop.registry.upstream;
    for (let minor = 0; minor < 4; minor += 1) await laptop.publish({ name: '@acme/tool', version: `1.${minor}.0` });
    const other = await FakeUpstream.start();
    const puts: string[] = [];
    other.override = async (req, res) => {
      if (req.method === 'PUT') puts.push(await versionIn(req));
      // Refused as by a registry that had it all the time and shows it late.
      res.writeHead(req.method === 'PUT' ? 409 : 404).end('{}');
      return true;
    };
    await upstreams.update(upstream.id, { kind: 'npm', url: other.url, autoPush: true }, rootActor);
    const starts = [
      outbox().start(upstream.id, []),
      outbox().start(upstream.id, []),
      outbox().continueOrAutoPush(upstream.id),
    ];
    const outcomes = await Promise.allSettled(starts);
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    await ended();
    expect(puts).toEqual(['1.0.0']);
    await other.goAway();
  });

  it('takes a refusal for an arrival if the very bytes are there, and never unpublishes what others sent', async () => {
    await laptop.publish({ name: '@acme/tool', version: '1.0.0' });
    const other = await FakeUpstream.start();
    let document: { versions: Record<string, { dist: { integrity: string; tarball: string } }> } | undefined;
    const methods: string[] = [];
    other.override = async (req, res) => {
      methods.push(req.method ?? '');
      if (req.method === 'PUT') {
        document = JSON.parse((await buffer(req)).toString()) as typeof document;
        res.writeHead(409).end('{"error":"it is there already"}');
      } else if (document) {
        res.end(JSON.stringify({ ...document, 'dist-tags': { latest: '1.0.0' } }));
      } else res.writeHead(404).end('{}');
      return true;
    };
    const { upstreams } = laptop.registry.upstream;
    await upstreams.update(upstream.id, { kind: 'npm', url: other.url }, rootActor);
    expect(await push()).toMatchObject({ total: 2, done: 2, failed: 0, conflicts: 0 });
    expect(methods.filter((method) => method === 'PUT')).toHaveLength(1);
    await laptop.registry.packages.unpublisher.unpublishPackage(idOf(laptop, '@acme/tool'), rootActor);
    expect(await push()).toMatchObject({ failed: 0, conflicts: 0 });
    expect(methods.filter((method) => method !== 'GET')).toEqual(['PUT']);
    await other.goAway();
  });

  it('goes on after a restart where it was', async () => {
    for (let minor = 0; minor < 5; minor += 1) await laptop.publish({ name: '@acme/tool', version: `1.${minor}.0` });
    await outbox().start(upstream.id, []);
    await expect.poll(() => outbox().status(upstream.id).done, { timeout: 20_000 }).toBeGreaterThan(0);
    await laptop.restart();
    const status = await ended();
    expect(status).toMatchObject({ failed: 0, conflicts: 0 });
    expect(status.done).toBe(status.total);
    expect(await versionsAt(company)).toHaveLength(5);
    expect(company.registry.audit.count({ search: 'package.published' })).toBe(5);
  });

  it('says what an upstream refuses, and goes on once it was told to try again', async () => {
    const { upstreams } = laptop.registry.upstream;
    await laptop.publish({ name: '@acme/tool', version: '1.0.0' });
    const { token } = await company.user();
    await upstreams.update(upstream.id, { token }, rootActor);
    const status = await push();
    expect(status.failed).toBe(1);
    expect(status.operations[0]?.error).toMatch(/company/);
    await upstreams.update(upstream.id, { token: rootToken }, rootActor);
    await outbox().resolve(upstream.id, status.operations[0]?.changeId ?? 0, 'retry');
    expect(await ended()).toMatchObject({ done: 2, failed: 0 });
  });

  it('sends all that failed again at once, and nothing that was skipped', async () => {
    const { upstreams } = laptop.registry.upstream;
    for (const name of ['@acme/one', '@acme/two']) await laptop.publish({ name, version: '1.0.0' });
    await expect(outbox().retryFailed(upstream.id)).rejects.toThrow('No change that goes to company failed.');
    const { token } = await company.user();
    await upstreams.update(upstream.id, { token }, rootActor);
    const { operations } = await push();
    for (const { changeId } of operations.filter(({ state }) => state === 'waiting')) {
      await outbox().resolve(upstream.id, changeId, 'theirs');
    }
    await upstreams.update(upstream.id, { token: rootToken, pushSelection: [] }, rootActor);
    expect(outbox().pending.counts).toEqual([{ upstreamId: upstream.id, toSend: 0, conflicts: 0, failed: 2 }]);
    await outbox().retryFailed(upstream.id);
    expect(await ended()).toMatchObject({ failed: 0, done: 4 });
    expect((await ended()).operations.map(({ state }) => state)).toEqual(['done', 'skipped', 'done', 'skipped']);
    for (const name of ['@acme/one', '@acme/two']) expect(await versionsAt(company, name)).toEqual(['1.0.0']);
  });

  it('does not take for done what waits for approval at another Gatehouse, and goes on once it was approved', async () => {
    const dev = await company.user({ username: 'dev' });
    await company.member(1, dev.user.id, 30);
    await company.send('POST', '/api/v4/projects/1/protected_environments', {
      body: { name: 'production', deploy_access_levels: [{ access_level: 40 }] },
    });
    const { guards } = company.registry.guards;
    await guards.set(rootActor, 1, { pattern: 'stable', environment: 'production' });
    await guards.set(rootActor, 1, { pattern: 'latest', environment: 'production' });
    await guards.setOnRefusal(rootActor, { id: 1, fullPath: 'local/packages' }, 'stage');
    await laptop.registry.upstream.upstreams.update(upstream.id, { token: dev.token }, rootActor);
    const approveAll = async () => {
      const requests = `${company.projectPath()}/-/requests`;
      for (const { id } of (await company.get(requests)).json<{ items: { id: string }[] }>().items) {
        await company.send('POST', `${requests}/${id}/approval`, { body: { status: 'approved' } });
      }
    };
    const retryFailed = async () => {
      const failed = outbox()
        .status(upstream.id)
        .operations.filter(({ state }) => state === 'failed');
      for (const { error } of failed) expect(error).toMatch(/a guard there holds it back until it is approved/);
      for (const { changeId } of failed) await outbox().resolve(upstream.id, changeId, 'retry');
      return ended();
    };

    await laptop.publish({ name: '@acme/tool', version: '1.0.0' });
    expect(await push()).toMatchObject({ failed: 1, done: 0 });
    await approveAll();
    expect(await retryFailed()).toMatchObject({ failed: 0, done: 2 });
    await tag(laptop, '@acme/tool', 'stable', '1.0.0');
    expect(await push()).toMatchObject({ failed: 1, done: 0 });
    await approveAll();
    expect(await retryFailed()).toMatchObject({ failed: 0, done: 1 });
    expect(await packument(company)).toMatchObject({ 'dist-tags': { latest: '1.0.0', stable: '1.0.0' } });
    // It came from here.
    await laptop.registry.packages.unpublisher.unpublishPackage(idOf(laptop, '@acme/tool'), rootActor);
    expect(summary(await outbox().plan(upstream.id, []))).toEqual(['unpublish @acme/tool 1.0.0 new']);
  });

  it('waits with the switch on, and sends by itself when it is turned off, if so set', async () => {
    const { upstreams } = laptop.registry.upstream;
    await upstreams.update(upstream.id, { autoPush: true }, rootActor);
    await laptop.registry.upstream.setOfflineMode('on', rootActor);
    await laptop.publish({ name: '@acme/tool', version: '1.0.0' });
    expect((await company.get(`${company.projectPath()}/@acme%2ftool`)).status).toBe(404);
    const waiting = outbox().status(upstream.id);
    expect(waiting).toMatchObject({ running: false, done: 0, waiting: true, retryAt: null });
    expect(waiting.operations.map(({ kind, state }) => `${kind} ${state}`)).toContain('publish waiting');
    expect(outbox().pending.counts).toEqual([
      { upstreamId: upstream.id, toSend: waiting.total, conflicts: 0, failed: 0 },
    ]);
    await laptop.registry.upstream.setOfflineMode('auto', rootActor);
    const path = `${company.projectPath()}/@acme%2ftool`;
    await expect.poll(async () => (await company.get(path)).status, { timeout: 20_000 }).toBe(200);
    await laptop.publish({ name: '@acme/tool', version: '1.1.0' });
    await expect.poll(async () => (await company.get(path)).text, { timeout: 20_000 }).toContain('1.1.0');
    await expect.poll(() => outbox().pending.counts, { timeout: 20_000 }).toEqual([]);
  });

  it('hands a package over once all of it arrived, so that versions of others are seen, and unpublishes nothing', async () => {
    const { upstreams, handOver } = laptop.registry.upstream;
    await laptop.publish({ name: '@acme/tool', version: '1.0.0' });
    await expect(handOver.run(upstream.id, '@acme/tool', rootActor)).rejects.toThrow(/Push them first/);
    await push();
    await expect(handOver.run(upstream.id, '@acme/tool', rootActor)).rejects.toThrow(/Add its scope/);
    await upstreams.update(upstream.id, { scopes: ['@acme'], freshSeconds: 0 }, rootActor);
    const tarball = `${laptop.projectPath()}/@acme/tool/-/tool-1.0.0.tgz`;
    const before = (await laptop.get(tarball)).bytes;
    await handOver.run(upstream.id, '@acme/tool', rootActor);
    await company.publish({ name: '@acme/tool', version: '1.1.0' });
    expect(await versionsAt(laptop)).toEqual(['1.0.0', '1.1.0']);
    expect(await outbox().plan(upstream.id, [])).toEqual([]);
    await laptop.registry.upstream.setOfflineMode('on', rootActor);
    expect((await laptop.get(tarball)).bytes.equals(before)).toBe(true);
  });

  it('fetches a damaged version back from where it was pushed to, and unpublishes it nowhere if that is not possible', async () => {
    const { maintenance, packages, upstream: services } = laptop.registry;
    const examine = async () => {
      const job = await maintenance.jobs.ended(maintenance.examine(true));
      return job.report?.findings.map(({ repair }) => repair);
    };
    for (const version of ['1.0.0', '1.1.0']) await laptop.publish({ name: '@acme/tool', version });
    await push();
    const url = `${laptop.projectPath()}/@acme/tool/-/tool-1.0.0.tgz`;
    const before = (await laptop.get(url)).bytes;
    const row = packages.store.findVersion(idOf(laptop, '@acme/tool'), '1.0.0');
    const file = join(laptop.dataDir, 'tarballs', row!.tarballSha512.slice(0, 2), row!.tarballSha512.slice(2));
    await writeFile(file, 'damaged');
    expect(await examine()).toEqual(['fixed']);
    expect((await laptop.get(url)).bytes.equals(before)).toBe(true);

    await writeFile(file, 'damaged');
    await services.setOfflineMode('on', rootActor);
    expect(await examine()).toEqual(['quarantined']);
    await services.setOfflineMode('auto', rootActor);
    expect(await versionsAt(laptop)).toEqual(['1.1.0']);
    expect(await outbox().plan(upstream.id, [])).toEqual([]);
    await push();
    expect(await versionsAt(company)).toEqual(['1.0.0', '1.1.0']);
  });

  it('refuses to send everything by itself, and a target that is no project', async () => {
    const { upstreams } = laptop.registry.upstream;
    const wide = { autoPush: true, pushSelection: ['*'] };
    await expect(upstreams.update(upstream.id, wide, rootActor)).rejects.toThrow(/every private package/);
    const group = await addUpstream(laptop, `${company.origin}${company.groupPath(1)}`, {
      name: 'group',
      kind: 'gatehouse',
    });
    await expect(outbox().plan(group.id, ['@acme'])).rejects.toThrow(/published to a project/);
  });
});
