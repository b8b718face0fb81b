import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { UpstreamRow } from '../../server/upstream/upstream-store.ts';
import { encodeName, rootToken, TestRegistry } from '../support/registry.ts';
import { addUpstream, pushTo, rootActor } from './support/upstream-registry.ts';

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

const push = () => pushTo(laptop, upstream);
const check = () => laptop.registry.upstream.outbox.checkSent(upstream.id);
const idOf = (registry: TestRegistry, name: string): number =>
  registry.registry.packages.store.packagesNamed(name)[0]?.id ?? 0;
const unpublish = (registry: TestRegistry, version: string, name = '@acme/tool') =>
  registry.registry.packages.unpublisher.unpublishVersion(idOf(registry, name), version, rootActor);
const deprecate = (registry: TestRegistry, version: string, message: string) =>
  registry.registry.packages.editor.deprecate(idOf(registry, '@acme/tool'), new Map([[version, message]]), rootActor);

async function tag(registry: TestRegistry, name: string, tag: string, version: string): Promise<void> {
  const path = `${registry.projectPath()}/-/package/${encodeName(name)}/dist-tags/${tag}`;
  expect((await registry.send('PUT', path, { body: JSON.stringify(version) })).status).toBe(204);
}

async function removeTag(registry: TestRegistry, name: string, tag: string): Promise<void> {
  const path = `${registry.projectPath()}/-/package/${encodeName(name)}/dist-tags/${tag}`;
  expect((await registry.send('DELETE', path)).status).toBeLessThan(300);
}

/** What a check does not find there as it was sent. */
async function lost(): Promise<string[]> {
  const { operations } = await check();
  return operations.flatMap(({ kind, name, tag, version, verdict, explanation }) =>
    verdict === 'same'
      ? []
      : [[kind, name, tag ?? version, explanation === '' ? verdict : `${verdict}: ${explanation}`].join(' ')],
  );
}

describe('a check of what was sent', () => {
  it('finds all there after a push, of several moves of a tag the last, and changes nothing', async () => {
    for (const version of ['1.0.0', '1.1.0']) await laptop.publish({ name: '@acme/tool', version });
    await tag(laptop, '@acme/tool', 'stable', '1.0.0');
    await tag(laptop, '@acme/tool', 'stable', '1.1.0');
    await deprecate(laptop, '1.0.0', 'too old');
    const status = await push();
    const before = company.registry.audit.count({});
    const { operations, replaced } = await check();
    expect(operations.map(({ changeId, verdict }) => [changeId, verdict])).toEqual(
      status.operations.map(({ changeId }) => [changeId, 'same']),
    );
    expect([operations.length, replaced]).toEqual([5, 0]);
    expect(company.registry.audit.count({})).toBe(before);
    expect(laptop.registry.upstream.outbox.status(upstream.id)).toEqual(status);
    // The command line goes on to say that nothing waits.
    expect(await laptop.registry.upstream.outbox.plan(upstream.id, [])).toEqual([]);
  });

  it('keeps when each change was sent or skipped, and has no such time for what waits', async () => {
    await laptop.publish({ name: '@acme/tool', version: '1.0.0' });
    const { outbox } = laptop.registry.upstream;
    const begun = Date.now();
    await push();
    const ended = Date.now();
    await tag(laptop, '@acme/tool', 'next', '1.0.0');
    const [waiting] = outbox.pending.describeWaiting(upstream.id).operations;
    expect(waiting).toMatchObject({ tag: 'next', settledAt: null });
    const { operations } = await outbox.resolve(upstream.id, waiting?.changeId ?? 0, 'theirs');
    expect(operations.map(({ state }) => state)).toEqual(['done', 'done', 'skipped']);
    const [sentAt, tagSentAt, skippedAt] = operations.map(({ settledAt }) => settledAt ?? 0);
    expect(sentAt).toBeGreaterThanOrEqual(begun);
    expect(tagSentAt).toBeLessThanOrEqual(ended);
    expect(skippedAt).toBeGreaterThanOrEqual(ended);
    const later = (await check()).operations;
    expect(later.map(({ settledAt }) => settledAt)).toEqual([sentAt, tagSentAt]);
  });

  it('names what was removed or changed there since', async () => {
    for (const version of ['1.0.0', '1.1.0']) await laptop.publish({ name: '@acme/tool', version });
    await laptop.publish({ name: '@acme/other', version: '1.0.0' });
    await tag(laptop, '@acme/tool', 'stable', '1.0.0');
    await deprecate(laptop, '1.0.0', 'too old');
    await push();
    await company.publish({ name: '@acme/tool', version: '2.0.0' });
    await removeTag(company, '@acme/tool', 'stable');
    await deprecate(company, '1.0.0', '');
    await unpublish(company, '1.1.0');
    expect(await lost()).toEqual([
      'publish @acme/tool 1.1.0 new',
      'tag.set @acme/tool latest conflict: "latest" points at 2.0.0 there.',
      'tag.set @acme/tool stable new',
      'deprecate @acme/tool 1.0.0 conflict: 1.0.0 is not deprecated there.',
    ]);
  });

  it('names a tag and a version that are there again although they were taken away', async () => {
    for (const version of ['1.0.0', '1.1.0']) await laptop.publish({ name: '@acme/tool', version });
    await tag(laptop, '@acme/tool', 'stable', '1.1.0');
    await push();
    await removeTag(laptop, '@acme/tool', 'stable');
    await push();
    expect(await lost()).toEqual([]);
    await tag(company, '@acme/tool', 'stable', '1.0.0');
    expect(await lost()).toEqual(['tag.remove @acme/tool stable conflict: "stable" is there again, at 1.0.0.']);
  });

  it('does not miss what a later change here replaced, whether that one was sent or not', async () => {
    for (const version of ['1.0.0', '1.1.0']) await laptop.publish({ name: '@acme/tool', version });
    await tag(laptop, '@acme/tool', 'stable', '1.0.0');
    await push();
    // 1.1.0 and its tag are gone here and there, and the tag has moved here.
    await unpublish(laptop, '1.1.0');
    await unpublish(company, '1.1.0');
    await laptop.publish({ name: '@acme/tool', version: '1.2.0', tag: 'stable' });
    await removeTag(company, '@acme/tool', 'stable');
    const { operations, replaced } = await check();
    expect(operations.map(({ kind, version, verdict }) => `${kind} ${version} ${verdict}`)).toEqual([
      'publish 1.0.0 same',
    ]);
    expect(replaced).toBe(3);
  });

  it('looks for a package that was handed over, and is not here any more, all the same', async () => {
    await laptop.registry.upstream.updateUpstream(upstream.id, { scopes: ['@acme'] }, rootActor);
    for (const version of ['1.0.0', '1.1.0']) await laptop.publish({ name: '@acme/tool', version });
    await push();
    await laptop.registry.upstream.handOver.run(upstream.id, '@acme/tool', rootActor);
    expect(await lost()).toEqual([]);
    await unpublish(company, '1.0.0');
    expect(await lost()).toEqual(['publish @acme/tool 1.0.0 new']);
  });

  it('leaves out what was skipped, and says why nothing could be compared', async () => {
    for (const version of ['1.0.0', '1.1.0']) await laptop.publish({ name: '@acme/tool', version });
    const { outbox } = laptop.registry.upstream;
    const skipped = outbox.pending.describeWaiting(upstream.id).operations.slice(1);
    for (const { changeId } of skipped) await outbox.resolve(upstream.id, changeId, 'theirs');
    await push();
    const before = await check();
    expect(before.operations.map(({ version, verdict }) => `${version} ${verdict}`)).toEqual([
      '1.0.0 same',
      '1.0.0 same',
    ]);
    // The tag that was skipped replaces nothing there.
    expect(before.replaced).toBe(0);
    await laptop.registry.upstream.setOfflineMode('on', rootActor);
    const { operations } = await check();
    expect(operations.map(({ verdict }) => verdict)).toEqual(['unknown', 'unknown']);
    expect(operations[0]?.explanation).toMatch(/offline/);
  });

  it('has nothing to compare before the first push', async () => {
    await laptop.publish({ name: '@acme/tool', version: '1.0.0' });
    expect(await check()).toEqual({ operations: [], replaced: 0 });
  });
});
