import type { AuditStore } from './audit-store.ts';
import type { DirectoryCascade } from './cascade.ts';
import type { Directory } from './directory.ts';
import { Groups } from './groups.ts';
import { Members } from './members.ts';
import { Projects } from './projects.ts';
import { Shares } from './shares.ts';
import { Tokens } from './login/tokens.ts';
import { Users } from './users.ts';

/** All that the directory can do, as the HTTP API, the window and the command line use it. */
export interface DirectoryServices {
  readonly directory: Directory;
  readonly users: Users;
  readonly groups: Groups;
  readonly projects: Projects;
  readonly members: Members;
  readonly shares: Shares;
  readonly tokens: Tokens;
  readonly audit: AuditStore;
}

/** Puts the parts of the directory together; `cascade` is told of what goes away. */
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
    audit,
  };
}
