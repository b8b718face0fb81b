import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createEnvironmentServices, type EnvironmentServices } from '../environments/environment-services.ts';
import { RuleCascade } from '../environments/rule-cascade.ts';
import { Guards } from '../guards/guards.ts';
import { migrate, shippedMigrations } from '../storage/database/migrations.ts';
import { openSqlite, type Sqlite } from '../storage/database/sqlite.ts';
import { sqliteAudit } from '../storage/database/stores/audit-store.ts';
import { SqliteDirectoryStore } from '../storage/database/stores/directory-store.ts';
import { sqliteEnvironments } from '../storage/database/stores/environment-store.ts';
import { sqliteGuards } from '../storage/database/stores/guard-store.ts';
import { WriteQueue } from '../storage/database/write-queue.ts';
import { bootstrap } from './bootstrap.ts';
import { systemActor } from './change.ts';
import { Directory } from './directory.ts';
import { createDirectoryServices, type DirectoryServices } from './directory-services.ts';
import { startRemovingExpired } from './expiry.ts';

const project = { kind: 'project', id: 1 } as const;
const day = 86_400_000;

let now: number;
let sqlite: Sqlite;
let people: DirectoryServices;
let environments: EnvironmentServices;

beforeEach(async () => {
  now = Date.parse('2026-03-01T23:59:59Z');
  sqlite = openSqlite(':memory:');
  migrate(sqlite, shippedMigrations());
  const audit = sqliteAudit(sqlite);
  const clock = () => now;
  const unit = new WriteQueue({
    sqlite,
    recordAudit: (at, entry) => audit.append(at, entry),
    announce: () => {},
    clock,
  });
  const directory = new Directory({ store: new SqliteDirectoryStore(sqlite), unit, clock });
  await bootstrap(directory, () => 'glpat-root-root-root-root');
  const store = sqliteEnvironments(sqlite);
  people = createDirectoryServices(directory, audit, new RuleCascade(directory, store));
  environments = createEnvironmentServices(directory, store, new Guards(sqliteGuards(sqlite), unit));
});
afterEach(() => sqlite.close());

/** A developer and an invited group until the end of the first of March, both named by a rule of `production`. */
async function temporaryAccess() {
  const details = { username: 'ann', name: 'Ann', email: 'ann@example.test', password: null };
  const ann = await people.users.create(systemActor, details);
  const group = await people.groups.create(systemActor, {
    name: 'Team',
    path: 'team',
    parentId: null,
    description: '',
    visibility: 'private',
  });
  const expiresOn = '2026-03-02';
  await people.members.add(systemActor, project, { userId: ann.id, level: 30, expiresOn });
  await people.shares.add(systemActor, project, { groupId: group.id, level: 30, expiresOn });
  const deployLevels = [{ userId: ann.id }, { groupId: group.id }, { accessLevel: 40 as const }];
  await environments.protections.protect(systemActor, project, { name: 'production', deployLevels });
  return { ann, group };
}

const rules = () => environments.protections.get(project, 'production').deployLevels;

describe('what expires', () => {
  it('gives no access from the first second of its day, and is cleared away with its rules', async () => {
    const { ann } = await temporaryAccess();
    expect(environments.access.ofUser(1, 'production', ann.id).allowed).toBe(true);
    now += 1000;
    expect(environments.access.ofUser(1, 'production', ann.id)).toMatchObject({
      allowed: false,
      reason: 'The rules of production allow @ann by name, but @ann has no access to the project any more.',
    });
    expect(rules()).toHaveLength(3);
    const stop = await startRemovingExpired([people.members, people.shares], (error) => expect.fail(String(error)));
    stop();
    expect(rules()).toMatchObject([{ accessLevel: 40 }]);
    const trail = people.audit.list({ search: 'removed' }, { limit: 10, offset: 0 });
    expect(trail.map((row) => [row.action, row.actorName, row.targetName])).toEqual([
      ['share.removed', 'gatehouse', 'team'],
      ['member.removed', 'gatehouse', 'ann'],
    ]);
    expect(await people.members.removeExpired()).toBe(0);
  });

  it('does not come back to life with a new membership or invitation', async () => {
    const { ann, group } = await temporaryAccess();
    now += day;
    await people.members.add(systemActor, project, { userId: ann.id, level: 30, expiresOn: null });
    await people.shares.add(systemActor, project, { groupId: group.id, level: 30, expiresOn: null });
    expect(rules()).toMatchObject([{ accessLevel: 40 }]);
    expect(people.directory.projectLevel(ann.id, 1)).toBe(30);
  });
});
