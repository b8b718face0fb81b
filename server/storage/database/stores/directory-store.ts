import type { DirectoryStore } from '../../../accounts/directory-store.ts';
import type { Sqlite } from '../sqlite.ts';
import { sqliteMembers, sqliteShares } from './directory-access.ts';
import { sqliteNamespaces, sqliteProjects } from './directory-spaces.ts';
import { sqliteUsers } from './directory-users.ts';
import { sqliteTokens } from './token-store.ts';

/** All that the directory keeps, in SQLite; statements are prepared once. */
export class SqliteDirectoryStore implements DirectoryStore {
  readonly users;
  readonly namespaces;
  readonly projects;
  readonly members;
  readonly shares;
  readonly tokens;

  constructor(sqlite: Sqlite) {
    this.users = sqliteUsers(sqlite);
    this.namespaces = sqliteNamespaces(sqlite);
    this.projects = sqliteProjects(sqlite);
    this.members = sqliteMembers(sqlite);
    this.shares = sqliteShares(sqlite);
    this.tokens = sqliteTokens(sqlite);
  }
}
