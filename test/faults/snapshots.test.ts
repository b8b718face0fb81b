import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { systemActor } from '../../server/accounts/change.ts';
import { TestRegistry } from '../support/registry.ts';
import { examineHealth, finishJob } from './support/maintenance.ts';

let opened: TestRegistry | undefined;
afterEach(async () => {
  await opened?.stop();
  opened = undefined;
});

async function start(): Promise<TestRegistry> {
  opened = await TestRegistry.start();
  return opened;
}

describe('a snapshot', () => {
  test('brings back versions, tags and bytes that went, while serving', async () => {
    const gatehouse = await start();
    const npm = gatehouse.projectPath();
    await gatehouse.publish({ name: 'rehearsal', version: '1.0.0' });
    await gatehouse.publish({ name: 'gone', version: '1.0.0' });
    const before = await gatehouse.get(`${npm}/rehearsal`);
    const tarball = await gatehouse.get(`${npm}/gone/-/gone-1.0.0.tgz`);
    await finishJob(gatehouse, gatehouse.registry.maintenance.createSnapshot('before-release', systemActor));

    await gatehouse.publish({ name: 'rehearsal', version: '2.0.0' });
    await gatehouse.send('DELETE', `${npm}/gone`);
    expect((await gatehouse.get(`${npm}/gone`)).status).toBe(404);
    expect((await gatehouse.get(`${npm}/rehearsal`)).text).toContain('2.0.0');

    await finishJob(gatehouse, gatehouse.registry.maintenance.rewind('before-release', systemActor));

    const after = await gatehouse.get(`${npm}/rehearsal`);
    expect(after.json()).toMatchObject({ 'dist-tags': { latest: '1.0.0' } });
    expect(Object.keys(after.json<{ versions: object }>().versions)).toEqual(['1.0.0']);
    const again = await gatehouse.get(`${npm}/gone/-/gone-1.0.0.tgz`);
    expect(again.bytes.equals(tarball.bytes)).toBe(true);
    expect(await examineHealth(gatehouse)).toEqual([]);
    // The state is an earlier one, yet never the same answer: a cache must not take one for the other.
    expect(after.headers.etag).not.toBe(before.headers.etag);
  });

  test('is itself the way back from a rewind', async () => {
    const gatehouse = await start();
    const npm = gatehouse.projectPath();
    await gatehouse.publish({ name: 'there', version: '1.0.0' });
    await finishJob(gatehouse, gatehouse.registry.maintenance.createSnapshot('empty-ish', systemActor));
    await gatehouse.publish({ name: 'there', version: '1.1.0' });
    await finishJob(gatehouse, gatehouse.registry.maintenance.rewind('empty-ish', systemActor));
    await gatehouse.registry.maintenance.swept();
    await finishJob(gatehouse, gatehouse.registry.maintenance.rewind('before-restore', systemActor));
    const versions = (await gatehouse.get(`${npm}/there`)).json<{ versions: object }>().versions;
    expect(Object.keys(versions)).toEqual(['1.0.0', '1.1.0']);
    expect((await gatehouse.get(`${npm}/there/-/there-1.1.0.tgz`)).status).toBe(200);
    expect(await examineHealth(gatehouse)).toEqual([]);
  });

  test('accepts publishes right after a rewind, of the same version with other bytes too', async () => {
    const gatehouse = await start();
    await finishJob(gatehouse, gatehouse.registry.maintenance.createSnapshot('clean', systemActor));
    await gatehouse.publish({ name: 'again', version: '1.0.0', files: { 'a.js': '1' } });
    await finishJob(gatehouse, gatehouse.registry.maintenance.rewind('clean', systemActor));
    await gatehouse.publish({ name: 'again', version: '1.0.0', files: { 'a.js': '2' } });
    expect(await examineHealth(gatehouse)).toEqual([]);
  });

  test('keeps tarballs only as long as it is there', async () => {
    const gatehouse = await start();
    await gatehouse.publish({ name: 'held', version: '1.0.0' });
    await finishJob(gatehouse, gatehouse.registry.maintenance.createSnapshot('holding', systemActor));
    await gatehouse.send('DELETE', `${gatehouse.projectPath()}/held`);
    expect(await gatehouse.storedTarballs()).toHaveLength(1);
    await gatehouse.registry.maintenance.dropSnapshot('holding', systemActor);
    const rows = gatehouse.registry.audit.list({ search: 'snapshot' }, { limit: 1, offset: 0 });
    expect(rows).toMatchObject([{ action: 'snapshot.deleted', targetName: 'holding' }]);
    await gatehouse.registry.maintenance.swept();
    expect(await gatehouse.storedTarballs()).toHaveLength(0);
    expect(readdirSync(join(gatehouse.dataDir, 'snapshots'))).toEqual([]);
  });

  test('does not let back in whose token was revoked since', async () => {
    const gatehouse = await start();
    const { user, token } = await gatehouse.user();
    await gatehouse.member(1, user.id, 30);
    await finishJob(gatehouse, gatehouse.registry.maintenance.createSnapshot('trusting', systemActor));
    expect((await gatehouse.get('/api/v4/user', { token })).status).toBe(200);
    for (const record of gatehouse.directory.tokens.list(user.id)) {
      await gatehouse.directory.tokens.revoke(systemActor, record.id);
    }
    await finishJob(gatehouse, gatehouse.registry.maintenance.rewind('trusting', systemActor));
    expect((await gatehouse.get('/api/v4/user', { token })).status).toBe(401);
  });

  test('goes on with the audit trail, which tells of the rewind', async () => {
    const gatehouse = await start();
    await finishJob(gatehouse, gatehouse.registry.maintenance.createSnapshot('trail', systemActor));
    await gatehouse.publish({ name: 'noted', version: '1.0.0' });
    await finishJob(gatehouse, gatehouse.registry.maintenance.rewind('trail', systemActor));
    const actions = gatehouse.registry.audit.list({}, { limit: 10, offset: 0 }).map((row) => row.action);
    expect(actions.slice(0, 3)).toEqual(['registry.rewound', 'package.published', 'snapshot.taken']);
  });

  test('refuses a name that is taken or unknown, and leaves nothing behind', async () => {
    const gatehouse = await start();
    const { maintenance } = gatehouse.registry;
    await finishJob(gatehouse, maintenance.createSnapshot('one', systemActor));
    const second = await maintenance.jobs.ended(maintenance.createSnapshot('ONE', systemActor));
    expect(second).toMatchObject({ state: 'failed', error: expect.stringContaining('already') as string });
    expect(() => maintenance.rewind('../../etc', systemActor)).toThrow(/no snapshot/);
    await expect(maintenance.dropSnapshot('two', systemActor)).rejects.toThrow(/There are: one/);
    const rows = gatehouse.registry.audit.list({ search: 'snapshot' }, { limit: 10, offset: 0 });
    expect(rows).toMatchObject([{ action: 'snapshot.taken', targetName: 'one' }]);
    expect(readdirSync(join(gatehouse.dataDir, 'snapshots'))).toEqual(['one']);
    expect(await gatehouse.temporaryFiles()).toEqual([]);
  });

  test('loses no write that comes while the registry goes back', async () => {
    const gatehouse = await start();
    await gatehouse.publish({ name: 'busy', version: '1.0.0' });
    await finishJob(gatehouse, gatehouse.registry.maintenance.createSnapshot('busy', systemActor));
    const job = gatehouse.registry.maintenance.rewind('busy', systemActor);
    const names = Array.from({ length: 20 }, (_, index) => `during-${index}`);
    for (const published of await Promise.all(names.map((name) => gatehouse.publish({ name, version: '1.0.0' })))) {
      expect(published.status).toBe(200);
    }
    await finishJob(gatehouse, job);
    expect(await examineHealth(gatehouse)).toEqual([]);
    // Each stands, or came before the rewind and is in the way back.
    const standing = await publishedOf(gatehouse, names);
    await finishJob(gatehouse, gatehouse.registry.maintenance.rewind('before-restore', systemActor));
    const before = await publishedOf(gatehouse, names);
    expect([...standing, ...before].toSorted()).toEqual(names.toSorted());
    expect(await examineHealth(gatehouse)).toEqual([]);
  });
});

/** Those of some packages whose first version can be fetched. */
async function publishedOf(gatehouse: TestRegistry, names: readonly string[]): Promise<string[]> {
  const answers = await Promise.all(
    names.map(async (name) => (await gatehouse.get(`${gatehouse.projectPath()}/${name}/-/${name}-1.0.0.tgz`)).status),
  );
  return names.filter((_, index) => answers[index] === 200);
}
