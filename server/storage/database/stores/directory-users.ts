import type { UserStore } from '../../../accounts/directory-store.ts';
import type { UserRecord } from '../../../accounts/records.ts';
import type { Sqlite } from '../sqlite.ts';

interface UserRow {
  id: number;
  username: string;
  name: string;
  email: string;
  state: 'active' | 'blocked';
  is_admin: number;
  external: number;
  created_at: number;
  updated_at: number;
}

const columns = 'id, username, name, email, state, is_admin, external, created_at, updated_at';

function toUser(row: UserRow): UserRecord {
  return {
    id: row.id,
    username: row.username,
    name: row.name,
    email: row.email,
    state: row.state,
    isAdmin: row.is_admin === 1,
    external: row.external === 1,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}

/** Users in SQLite. */
export function sqliteUsers(sqlite: Sqlite): UserStore {
  const all = sqlite.prepare<[], UserRow>(`SELECT ${columns} FROM users ORDER BY id`);
  const byId = sqlite.prepare<[number], UserRow>(`SELECT ${columns} FROM users WHERE id = ?`);
  const byUsername = sqlite.prepare<[string], UserRow>(`SELECT ${columns} FROM users WHERE username = ?`);
  const byEmail = sqlite.prepare<[string], UserRow>(`SELECT ${columns} FROM users WHERE email = ?`);
  const hash = sqlite.prepare<[number], { password_hash: string | null }>(
    'SELECT password_hash FROM users WHERE id = ?',
  );
  const insert = sqlite.prepare<unknown[]>(
    `INSERT INTO users (username, name, email, state, is_admin, external, password_hash, created_at, updated_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const update = sqlite.prepare<unknown[]>(
    `UPDATE users SET username = ?, name = ?, email = ?, state = ?, is_admin = ?, external = ?, updated_at = ? WHERE id = ?`,
  );
  const setHash = sqlite.prepare<[string, number]>('UPDATE users SET password_hash = ? WHERE id = ?');
  const remove = sqlite.prepare<[number]>('DELETE FROM users WHERE id = ?');

  return {
    all: () => all.all().map(toUser),
    find: (id) => optional(byId.get(id)),
    findByUsername: (username) => optional(byUsername.get(username)),
    findByEmail: (email) => optional(byEmail.get(email)),
    passwordHashOf: (id) => hash.get(id)?.password_hash ?? null,
    insert: (user) =>
      Number(
        insert.run(
          user.username,
          user.name,
          user.email,
          user.state,
          Number(user.isAdmin),
          Number(user.external),
          user.passwordHash,
          user.createdAt,
          user.updatedAt,
        ).lastInsertRowid,
      ),
    update: (user) => {
      update.run(
        user.username,
        user.name,
        user.email,
        user.state,
        Number(user.isAdmin),
        Number(user.external),
        user.updatedAt,
        user.id,
      );
    },
    setPasswordHash: (id, passwordHash) => {
      setHash.run(passwordHash, id);
    },
    delete: (id) => {
      remove.run(id);
    },
  };
}

function optional(row: UserRow | undefined): UserRecord | undefined {
  return row && toUser(row);
}
