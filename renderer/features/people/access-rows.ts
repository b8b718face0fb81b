import type { ContainerReference, MemberEntry, ShareEntry } from '../../../server/contract/directory.ts';

/** Access of one user or group, as the page lists it. */
export type AccessRow = { key: string; name: string; level: MemberEntry['level']; expiresOn: string | null } & (
  { section: 'Members' | 'Inherited members'; member: MemberEntry } | { section: 'Invited groups'; share: ShareEntry }
);

/** Everyone with access, in the order of the sections: direct members, inherited ones, invited groups. */
export function accessRows(members: readonly MemberEntry[], shares: readonly ShareEntry[]): AccessRow[] {
  const rows = members.map((member): AccessRow => ({
    // A direct member may inherit a stronger role as well.
    key: `${member.direct ? 'direct' : 'inherited'} ${member.user.id}`,
    section: member.direct ? 'Members' : 'Inherited members',
    name: member.user.name,
    level: member.level,
    expiresOn: member.expiresOn,
    member,
  }));
  const groups = shares.map((share): AccessRow => ({
    key: `group ${share.group.id}`,
    section: 'Invited groups',
    name: share.group.name,
    level: share.level,
    expiresOn: share.expiresOn,
    share,
  }));
  return [...inSection(rows, 'Members'), ...inSection(rows, 'Inherited members'), ...groups];
}

/** The rows of one section. */
export function inSection(rows: readonly AccessRow[], section: AccessRow['section']): AccessRow[] {
  return rows.filter((row) => row.section === section);
}

/** What the search looks at. */
export function accessText(row: AccessRow): string {
  if ('share' in row) return `${row.name} ${row.share.group.fullPath}`;
  return `${row.name} ${row.member.user.username} ${originOf(row)?.fullPath ?? ''}`;
}

/** The group or project that access comes from; undefined for what is given in this very place. */
export function originOf(row: AccessRow): (ContainerReference & { fullPath: string }) | undefined {
  if ('share' in row || row.member.direct) return undefined;
  const { throughGroup, source } = row.member;
  return throughGroup === null ? source : { kind: 'group', id: throughGroup.id, fullPath: throughGroup.fullPath };
}
