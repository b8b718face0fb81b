import type { MemberStore, ShareStore } from '../../../accounts/directory-store.ts';
import type { Container, MemberRecord, ShareRecord } from '../../../accounts/records.ts';
import type { Sqlite } from '../sqlite.ts';

type Flat<R extends { readonly container: Container }> = Omit<R, 'container'> & { readonly containerId: number };

/** Gives a row the container that it is about. */
function inContainer<R extends { readonly containerId: number }>(kind: Container['kind'], { containerId, ...row }: R) {
  return { ...row, container: { kind, id: containerId } };
}

/** Memberships of projects and groups in SQLite. */
export function sqliteMembers(sqlite: Sqlite): MemberStore {
  const prepare = (kind: Container['kind']) => {
    const table = `${kind}_members`;
    const key = `${kind}_id`;
    const select = `SELECT ${key} AS containerId, user_id AS userId, access_level AS level, created_by AS createdBy,
      created_at AS createdAt, expires_on AS expiresOn FROM ${table}`;
    return {
      all: sqlite.prepare<[], Flat<MemberRecord>>(`${select} ORDER BY user_id`),
      find: sqlite.prepare<[number, number], Flat<MemberRecord>>(`${select} WHERE ${key} = ? AND user_id = ?`),
      insert: sqlite.prepare<Flat<MemberRecord>>(
        `INSERT INTO ${table} (${key}, user_id, access_level, created_by, created_at, expires_on)
         VALUES (:containerId, :userId, :level, :createdBy, :createdAt, :expiresOn)`,
      ),
      update: sqlite.prepare<unknown[]>(
        `UPDATE ${table} SET access_level = ?, expires_on = ? WHERE ${key} = ? AND user_id = ?`,
      ),
      remove: sqlite.prepare<[number, number]>(`DELETE FROM ${table} WHERE ${key} = ? AND user_id = ?`),
    };
  };
  const statements = { project: prepare('project'), group: prepare('group') };
  const ownedGroups = sqlite
    .prepare<[number], number>('SELECT count(*) FROM group_members WHERE user_id = ? AND access_level = 50')
    .pluck();

  return {
    all: (kind) => statements[kind].all.all().map((row) => inContainer(kind, row)),
    find: ({ kind, id }, userId) => {
      const row = statements[kind].find.get(id, userId);
      return row && inContainer(kind, row);
    },
    countOwnedGroups: (userId) => ownedGroups.get(userId) ?? 0,
    insert: ({ container: { kind, id }, ...member }) =>
      void statements[kind].insert.run({ ...member, containerId: id }),
    update: ({ kind, id }, userId, level, expiresOn) => void statements[kind].update.run(level, expiresOn, id, userId),
    delete: ({ kind, id }, userId) => void statements[kind].remove.run(id, userId),
  };
}

/** Invitations of groups to projects and to other groups in SQLite. */
export function sqliteShares(sqlite: Sqlite): ShareStore {
  const prepare = (table: string, key: string) => {
    const select = `SELECT id, ${key} AS containerId, group_id AS groupId, group_access AS level, created_at AS createdAt,
      expires_on AS expiresOn FROM ${table}`;
    return {
      all: sqlite.prepare<[], Flat<ShareRecord>>(`${select} ORDER BY id`),
      find: sqlite.prepare<[number, number], Flat<ShareRecord>>(`${select} WHERE ${key} = ? AND group_id = ?`),
      insert: sqlite.prepare<Omit<Flat<ShareRecord>, 'id'>>(
        `INSERT INTO ${table} (${key}, group_id, group_access, created_at, expires_on)
         VALUES (:containerId, :groupId, :level, :createdAt, :expiresOn)`,
      ),
      update: sqlite.prepare<[number, string | null, number, number]>(
        `UPDATE ${table} SET group_access = ?, expires_on = ? WHERE ${key} = ? AND group_id = ?`,
      ),
      remove: sqlite.prepare<[number, number]>(`DELETE FROM ${table} WHERE ${key} = ? AND group_id = ?`),
    };
  };
  const statements = {
    project: prepare('project_shares', 'project_id'),
    group: prepare('group_shares', 'shared_group_id'),
  };

  return {
    all: (kind) => statements[kind].all.all().map((row) => inContainer(kind, row)),
    find: ({ kind, id }, groupId) => {
      const row = statements[kind].find.get(id, groupId);
      return row && inContainer(kind, row);
    },
    insert: ({ container: { kind, id }, ...share }) =>
      Number(statements[kind].insert.run({ ...share, containerId: id }).lastInsertRowid),
    update: ({ kind, id }, groupId, level, expiresOn) =>
      void statements[kind].update.run(level, expiresOn, id, groupId),
    delete: ({ kind, id }, groupId) => void statements[kind].remove.run(id, groupId),
  };
}
