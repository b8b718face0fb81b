import type {
  ContainerReference,
  MemberEntry,
  ShareEntry,
  UserAccessEntry,
} from '../../../server/contract/directory.ts';
import { accessLevels, isLastingOwner } from '../../../server/contract/levels.ts';

/** Access to a group or project, as the page of that place or of the user lists it. */
export type AccessRow = {
  key: string;
  /** Who has access; on the page of a user: what to. */
  name: string;
  container: Place;
  level: MemberEntry['level'];
  expiresOn: string | null;
} & (
  | { section: 'Members' | 'Inherited members'; member: MemberEntry }
  | { section: 'Invited groups'; share: ShareEntry }
  | { section: 'Groups' | 'Projects'; member: MemberEntry }
);

type Place = ContainerReference & { fullPath: string };

/** Everyone with access, in the order of the sections: direct members, inherited ones, invited groups. */
export function accessRows(
  container: Place,
  members: readonly MemberEntry[],
  shares: readonly ShareEntry[],
): AccessRow[] {
  const rows = members.map((member): AccessRow => ({
    // A direct member may inherit a stronger role as well.
    key: `${member.direct ? 'direct' : 'inherited'} ${member.user.id}`,
    section: member.direct ? 'Members' : 'Inherited members',
    name: member.user.name,
    container,
    level: member.level,
    expiresOn: member.expiresOn,
    member,
  }));
  const groups = shares.map((share): AccessRow => ({
    key: `group ${share.group.id}`,
    section: 'Invited groups',
    name: share.group.name,
    container,
    level: share.level,
    expiresOn: share.expiresOn,
    share,
  }));
  return [...inSection(rows, 'Members'), ...inSection(rows, 'Inherited members'), ...groups];
}

/** What a user reaches: groups, then projects. */
export function userAccessRows(entries: readonly UserAccessEntry[]): AccessRow[] {
  return entries.map(({ container, ...member }) => ({
    key: `${member.direct ? 'direct' : 'inherited'} ${container.kind} ${container.id}`,
    section: container.kind === 'group' ? 'Groups' : 'Projects',
    name: container.fullPath,
    container,
    level: member.level,
    expiresOn: member.expiresOn,
    member,
  }));
}

/** The rows of one section. */
export function inSection(rows: readonly AccessRow[], section: AccessRow['section']): AccessRow[] {
  return rows.filter((row) => row.section === section);
}

/** Whether the page of a user lists it. */
export function isOfUser({ section }: AccessRow): boolean {
  return section === 'Groups' || section === 'Projects';
}

/** Whether a row is a group's last owner, whom the server does not remove; `members` are all of the group. */
export function isLastOwner(row: AccessRow, members: readonly MemberEntry[]): boolean {
  if ('share' in row || row.container.kind !== 'group' || row.level < accessLevels.owner) return false;
  const { user } = row.member;
  return (
    members.length > 0 &&
    !members.some((other) => other.user.id !== user.id && isLastingOwner(other, other.throughGroup))
  );
}

/** What the search looks at. */
export function accessText(row: AccessRow): string {
  if ('share' in row) return `${row.name} ${row.share.group.fullPath}`;
  return `${row.name} ${isOfUser(row) ? '' : row.member.user.username} ${originOf(row)?.fullPath ?? ''}`;
}

/** The group or project that access comes from; undefined for what is given in this very place. */
export function originOf(row: AccessRow): Place | undefined {
  if ('share' in row || row.member.direct) return undefined;
  const { throughGroup, source } = row.member;
  return throughGroup === null ? source : { kind: 'group', id: throughGroup.id, fullPath: throughGroup.fullPath };
}
