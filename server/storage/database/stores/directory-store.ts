import type { DirectoryStore, UserStore } from '../../../accounts/directory-store.ts';
import type { UserRecord } from '../../../accounts/records.ts';
import type { Sqlite } from '../sqlite.ts';
import { sqliteMembers, sqliteShares } from './member-store.ts';
import { sqliteClaims, sqliteNamespaces, sqliteProjects } from './namespace-store.ts';
import { sqliteTokens } from './token-store.ts';

/** All that the directory stores, in SQLite. */
export class SqliteDirectoryStore implements DirectoryStore {
  readonly users;
  readonly namespaces;
  readonly projects;
  readonly members;
  readonly shares;
  readonly tokens;
  readonly claims;

  constructor(sqlite: Sqlite) {
    this.users = sqliteUsers(sqlite);
    this.namespaces = sqliteNamespaces(sqlite);
    this.projects = sqliteProjects(sqlite);
    this.members = sqliteMembers(sqlite);
    this.shares = sqliteShares(sqlite);
    this.tokens = sqliteTokens(sqlite);
    this.claims = sqliteClaims(sqlite);
  }
}

/** SQLite has no booleans. */
type UserRow = Omit<UserRecord, 'isAdmin' | 'external'> & { readonly isAdmin: number; readonly external: number };

function sqliteUsers(sqlite: Sqlite): UserStore {
  const select = `SELECT id, username, name, email, state, is_admin AS isAdmin, external, created_at AS createdAt,
    updated_at AS updatedAt FROM users`;
  const all = sqlite.prepare<[], UserRow>(`${select} ORDER BY id`);
  const byId = sqlite.prepare<[number], UserRow>(`${select} WHERE id = ?`);
  const byUsername = sqlite.prepare<[string], UserRow>(`${select} WHERE username = ?`);
  const byEmail = sqlite.prepare<[string], UserRow>(`${select} WHERE email = ?`);
  const hash = sqlite.prepare<[number], string | null>('SELECT password_hash FROM users WHERE id = ?').pluck();
  const insert = sqlite.prepare<Omit<UserRow, 'id'> & { readonly passwordHash: string | null }>(
    `INSERT INTO users (username, name, email, state, is_admin, external, password_hash, created_at, updated_at)
     VALUES (:username, :name, :email, :state, :isAdmin, :external, :passwordHash, :createdAt, :updatedAt)`,
  );
  const update = sqlite.prepare<UserRow>(
    `UPDATE users SET username = :username, name = :name, email = :email, state = :state, is_admin = :isAdmin, external = :external,
       updated_at = :updatedAt WHERE id = :id`,
  );
  const setHash = sqlite.prepare<[string, number]>('UPDATE users SET password_hash = ? WHERE id = ?');
  const remove = sqlite.prepare<[number]>('DELETE FROM users WHERE id = ?');

  return {
    all: () => all.all().map(toUser),
    find: (id) => optional(byId.get(id)),
    findByUsername: (username) => optional(byUsername.get(username)),
    findByEmail: (email) => optional(byEmail.get(email)),
    passwordHashOf: (id) => hash.get(id) ?? null,
    insert: (user) => Number(insert.run(fromUser(user)).lastInsertRowid),
    update: (user) => void update.run(fromUser(user)),
    setPasswordHash: (id, passwordHash) => void setHash.run(passwordHash, id),
    delete: (id) => void remove.run(id),
  };
}

function toUser(row: UserRow): UserRecord {
  return { ...row, isAdmin: row.isAdmin === 1, external: row.external === 1 };
}

function optional(row: UserRow | undefined): UserRecord | undefined {
  return row && toUser(row);
}

function fromUser<U extends Pick<UserRecord, 'isAdmin' | 'external'>>(user: U) {
  return { ...user, isAdmin: Number(user.isAdmin), external: Number(user.external) };
}
