import type { MemberEntry } from '../../../server/contract/directory.ts';
import type { EnvironmentAccess } from '../../../server/contract/environments.ts';

export interface AccessRow {
  user: { id: number; username: string; name: string };
  /** For each environment, in the order given. */
  allowed: boolean[];
}

/** One row for every member of the project and everyone else who may deploy (administrators), by name. */
export function accessRows(environments: readonly EnvironmentAccess[], members: readonly MemberEntry[]): AccessRow[] {
  const people = new Map<number, AccessRow['user']>();
  for (const { user } of members) people.set(user.id, user);
  for (const { users } of environments) for (const { user } of users) people.set(user.id, user);
  const allowed = environments.map(
    (environment) => new Set(environment.users.filter((each) => each.allowed).map((each) => each.user.id)),
  );
  return [...people.values()]
    .sort((a, b) => a.name.localeCompare(b.name, undefined, { numeric: true }) || a.id - b.id)
    .map((user) => ({
      user: { id: user.id, username: user.username, name: user.name },
      allowed: allowed.map((each) => each.has(user.id)),
    }));
}
