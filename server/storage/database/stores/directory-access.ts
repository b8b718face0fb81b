import type { MemberLevel } from '../../../contract/levels.ts';
import type { MemberStore, ShareStore } from '../../../accounts/directory-store.ts';
import type { Container, MemberRecord, ShareRecord } from '../../../accounts/records.ts';
import type { Sqlite } from '../sqlite.ts';

interface MemberRow {
  container_id: number;
  user_id: number;
  access_level: MemberLevel;
  created_by: number | null;
  created_at: number;
  expires_on: string | null;
}

interface ShareRow {
  id: number;
  container_id: number;
  group_id: number;
  group_access: MemberLevel;
  created_at: number;
  expires_on: string | null;
}

/** Memberships of projects and groups in SQLite. */
export function sqliteMembers(sqlite: Sqlite): MemberStore {
  const statements = {
    project: memberStatements(sqlite, 'project_members', 'project_id'),
    group: memberStatements(sqlite, 'group_members', 'group_id'),
  };
  const toMember = (kind: Container['kind'], row: MemberRow): MemberRecord => ({
    container: { kind, id: row.container_id },
    userId: row.user_id,
    level: row.access_level,
    createdBy: row.created_by,
    createdAt: row.created_at,
    expiresOn: row.expires_on,
  });

  return {
    all: (kind) => statements[kind].all.all().map((row) => toMember(kind, row)),
    find: (container, userId) => {
      const row = statements[container.kind].find.get(container.id, userId);
      return row && toMember(container.kind, row);
    },
    insert: (member) => {
      statements[member.container.kind].insert.run(
        member.container.id,
        member.userId,
        member.level,
        member.createdBy,
        member.createdAt,
        member.expiresOn,
      );
    },
    update: (container, userId, level, expiresOn) => {
      statements[container.kind].update.run(level, expiresOn, container.id, userId);
    },
    delete: (container, userId) => {
      statements[container.kind].remove.run(container.id, userId);
    },
  };
}

function memberStatements(sqlite: Sqlite, table: string, key: string) {
  const columns = `${key} AS container_id, user_id, access_level, created_by, created_at, expires_on`;
  return {
    all: sqlite.prepare<[], MemberRow>(`SELECT ${columns} FROM ${table} ORDER BY user_id`),
    find: sqlite.prepare<[number, number], MemberRow>(
      `SELECT ${columns} FROM ${table} WHERE ${key} = ? AND user_id = ?`,
    ),
    insert: sqlite.prepare<unknown[]>(
      `INSERT INTO ${table} (${key}, user_id, access_level, created_by, created_at, expires_on) VALUES (?, ?, ?, ?, ?, ?)`,
    ),
    update: sqlite.prepare<unknown[]>(
      `UPDATE ${table} SET access_level = ?, expires_on = ? WHERE ${key} = ? AND user_id = ?`,
    ),
    remove: sqlite.prepare<[number, number]>(`DELETE FROM ${table} WHERE ${key} = ? AND user_id = ?`),
  };
}

/** Invitations of groups to projects and to other groups in SQLite. */
export function sqliteShares(sqlite: Sqlite): ShareStore {
  const statements = {
    project: shareStatements(sqlite, 'project_shares', 'project_id'),
    group: shareStatements(sqlite, 'group_shares', 'shared_group_id'),
  };
  const toShare = (kind: Container['kind'], row: ShareRow): ShareRecord => ({
    id: row.id,
    container: { kind, id: row.container_id },
    groupId: row.group_id,
    level: row.group_access,
    createdAt: row.created_at,
    expiresOn: row.expires_on,
  });

  return {
    all: (kind) => statements[kind].all.all().map((row) => toShare(kind, row)),
    find: (container, groupId) => {
      const row = statements[container.kind].find.get(container.id, groupId);
      return row && toShare(container.kind, row);
    },
    insert: (share) =>
      Number(
        statements[share.container.kind].insert.run(
          share.container.id,
          share.groupId,
          share.level,
          share.createdAt,
          share.expiresOn,
        ).lastInsertRowid,
      ),
    delete: (container, groupId) => {
      statements[container.kind].remove.run(container.id, groupId);
    },
  };
}

function shareStatements(sqlite: Sqlite, table: string, key: string) {
  const columns = `id, ${key} AS container_id, group_id, group_access, created_at, expires_on`;
  return {
    all: sqlite.prepare<[], ShareRow>(`SELECT ${columns} FROM ${table} ORDER BY id`),
    find: sqlite.prepare<[number, number], ShareRow>(
      `SELECT ${columns} FROM ${table} WHERE ${key} = ? AND group_id = ?`,
    ),
    insert: sqlite.prepare<unknown[]>(
      `INSERT INTO ${table} (${key}, group_id, group_access, created_at, expires_on) VALUES (?, ?, ?, ?, ?)`,
    ),
    remove: sqlite.prepare<[number, number]>(`DELETE FROM ${table} WHERE ${key} = ? AND group_id = ?`),
  };
}
