import type { AuditStore } from './audit-store.ts';
import type { DirectoryCascade } from './change.ts';
import type { Directory } from './directory.ts';
import { Claims } from './claims.ts';
import { Groups } from './groups.ts';
import { Members } from './members.ts';
import { Projects } from './projects.ts';
import { Shares } from './shares.ts';
import { Tokens } from './login/tokens.ts';
import { Users } from './users.ts';

/** Reading and changing the directory. */
export interface DirectoryServices {
  readonly directory: Directory;
  readonly users: Users;
  readonly groups: Groups;
  readonly projects: Projects;
  readonly members: Members;
  readonly shares: Shares;
  readonly tokens: Tokens;
  readonly claims: Claims;
  readonly audit: AuditStore;
}

/** Creates them. `cascade` removes what depends on a deleted user, group, member or share. */
export function createDirectoryServices(
  directory: Directory,
  audit: AuditStore,
  cascade: DirectoryCascade,
): DirectoryServices {
  return {
    directory,
    users: new Users(directory, cascade),
    groups: new Groups(directory, cascade),
    projects: new Projects(directory),
    members: new Members(directory, cascade),
    shares: new Shares(directory, cascade),
    tokens: new Tokens(directory),
    claims: new Claims(directory),
    audit,
  };
}
