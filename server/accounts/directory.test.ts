import { beforeEach, describe, expect, it } from 'vitest';
import { migrate, shippedMigrations } from '../storage/database/migrations.ts';
import { openSqlite } from '../storage/database/sqlite.ts';
import type { AuditStore } from './audit-store.ts';
import { sqliteAudit } from '../storage/database/stores/audit-store.ts';
import { SqliteDirectoryStore } from '../storage/database/stores/directory-store.ts';
import { WriteQueue } from '../storage/database/write-queue.ts';
import { bootstrap } from './bootstrap.ts';
import { Directory } from './directory.ts';
import { sha256Of } from './login/token-secret.ts';

const rootToken = 'glpat-root-root-root-root';
const day = 86_400_000;
let now = Date.parse('2026-03-01T12:00:00Z');

async function open() {
  const sqlite = openSqlite(':memory:');
  migrate(sqlite, shippedMigrations());
  const audit = sqliteAudit(sqlite);
  const unit = new WriteQueue({
    sqlite,
    recordAudit: (at, entry) => audit.append(at, entry),
    announce: () => {},
    clock: () => now,
  });
  const directory = new Directory({ store: new SqliteDirectoryStore(sqlite), unit, clock: () => now });
  await bootstrap(directory, () => rootToken);
  return { audit, directory, unit };
}

describe('Directory', () => {
  let audit: AuditStore;
  let directory: Directory;
  let unit: WriteQueue;

  beforeEach(async () => {
    now = Date.parse('2026-03-01T12:00:00Z');
    ({ audit, directory, unit } = await open());
  });

  it('creates root, the group local and the project local/packages, each with id 1, once', async () => {
    expect(directory.authenticate(rootToken).user).toMatchObject({ id: 1, username: 'root', isAdmin: true });
    expect(directory.findGroup('local')).toMatchObject({ id: 1, fullPath: 'local' });
    expect(directory.findProject('LOCAL/Packages')).toMatchObject({ id: 1, visibility: 'private' });
    expect(await bootstrap(directory, () => 'another-token-of-root')).toEqual({ created: false, rootToken: null });
    expect(() => directory.authenticate('another-token-of-root')).toThrow(
      expect.objectContaining({ code: 'unauthenticated' }),
    );
    expect(audit.list({}, { limit: 10, offset: 0 }).map((row) => row.action)).toEqual([
      'token.created',
      'project.created',
      'group.created',
      'user.created',
    ]);
  });

  it('answers projects and groups by number, by text of a number and by path, and personal namespaces as no group', () => {
    expect(directory.findProject(1)).toBe(directory.findProject('1'));
    expect(directory.findProject('packages')).toBeUndefined();
    expect(directory.findGroup('root')).toBeUndefined();
    expect(directory.rootNamespaceOf(1)).toBe(1);
    expect(directory.projectsOfGroup(1, { subgroups: true }).map((project) => project.id)).toEqual([1]);
  });

  it('tells apart tokens that are unknown, revoked, expired and of a blocked user', async () => {
    const { store } = directory;
    const id = await directory.write(() =>
      store.tokens.insert({
        userId: 1,
        name: 'short',
        description: '',
        scopes: ['read_api'],
        sha256: sha256Of('short-lived'),
        hint: 'ived',
        createdAt: now,
        expiresOn: '2026-03-02',
      }),
    );
    const token = { id, name: 'short', hint: 'ived', scopes: ['read_api'] };
    expect(directory.authenticate('short-lived').token).toEqual(token);
    now += day;
    const named = { token: expect.objectContaining({ name: 'short', hint: 'ived' }) as unknown };
    expect(() => directory.authenticate('short-lived')).toThrow(
      expect.objectContaining({ code: 'token_expired', ...named }),
    );
    await directory.write(() => store.tokens.revoke(id, now));
    expect(() => directory.authenticate('short-lived')).toThrow(
      expect.objectContaining({ code: 'token_revoked', ...named }),
    );
    await directory.write(() => store.users.update({ ...store.users.find(1)!, state: 'blocked' }));
    expect(() => directory.authenticate(rootToken)).toThrow(expect.objectContaining({ code: 'account_blocked' }));
  });

  it('knows when a token was last used, and writes it once a minute', async () => {
    const tokenId = directory.authenticate(rootToken).token?.id ?? 0;
    await unit.idle();
    const first = now;
    expect(directory.store.tokens.find(tokenId)?.lastUsedAt).toBe(first);
    now += 30_000;
    directory.authenticate(rootToken);
    await unit.idle();
    expect(directory.store.tokens.find(tokenId)?.lastUsedAt).toBe(first);
    expect(directory.lastUseOfToken(tokenId)).toBe(now);
    now += 31_000;
    directory.authenticate(rootToken);
    await unit.idle();
    expect(directory.store.tokens.find(tokenId)?.lastUsedAt).toBe(now);
  });

  it('forgets access when its day comes', async () => {
    const { store } = directory;
    const userId = await directory.write(() =>
      store.users.insert({
        username: 'ann',
        name: 'Ann',
        email: 'ann@example.org',
        state: 'active',
        isAdmin: false,
        external: false,
        passwordHash: null,
        createdAt: now,
        updatedAt: now,
      }),
    );
    expect(directory.projectLevel(userId, 1)).toBe(0);
    await directory.write(() =>
      store.members.insert({
        container: { kind: 'project', id: 1 },
        userId,
        level: 30,
        createdBy: 1,
        createdAt: now,
        expiresOn: '2026-03-02',
      }),
    );
    expect(directory.projectLevel(userId, 1)).toBe(30);
    now += day;
    expect(directory.projectLevel(userId, 1)).toBe(0);
  });

  it('drops what it remembered of a change that failed', async () => {
    const attempt = directory.write(() => {
      directory.store.projects.delete(1);
      directory.invalidate();
      expect(directory.findProject(1)).toBeUndefined();
      throw new Error('refused');
    });
    await expect(attempt).rejects.toThrow('refused');
    expect(directory.findProject(1)).toBeDefined();
  });
});
