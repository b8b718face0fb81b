import { Anchor } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { MouseEvent, ReactNode } from 'react';
import type { AuditRow, ContainerReference } from '../../../server/contract/directory.ts';
import { useReleases } from '../../api/releases.ts';
import { isRecord } from '../../api/is-record.ts';

// A click would also open the row that the link is in.
const onClick = (event: MouseEvent) => event.stopPropagation();

interface TargetLinkProps {
  row: AuditRow;
  /** In the colour of the text around it. */
  quiet?: boolean;
  children: ReactNode;
}

/** A link to what a change was about; its plain text where no screen shows it, and where it was deleted. */
export function TargetLink({ row, quiet = false, children }: TargetLinkProps) {
  const { target, projectId, groupId, action } = row;
  const { data: waiting = [] } = useReleases();
  const look = { fz: 'inherit', fw: 'inherit', onClick, ...(quiet ? { c: 'inherit' } : {}) } as const;
  if (/\.(deleted|removed|unpublished|unprotected|revoked)$/.test(action) && !action.startsWith('tag.'))
    return children;
  const subject = isRecord(row.after) ? row.after['id'] : undefined;
  const release = waiting.find(({ id }) => id === subject);
  if (release !== undefined) {
    const { id } = release;
    return (
      <Anchor {...look} renderRoot={(props) => <Link {...props} to="/inbox" search={{ id }} />}>
        {children}
      </Anchor>
    );
  }
  if (action === 'package.stage_approved') {
    const name = target.name.slice(0, target.name.lastIndexOf('@'));
    return (
      <Anchor {...look} renderRoot={(props) => <Link {...props} to="/package-by-name/$name" params={{ name }} />}>
        {children}
      </Anchor>
    );
  }
  if (target.type === 'package' && target.id !== null) {
    const packageId = target.id;
    const version = isRecord(row.after) ? row.after['version'] : undefined;
    if (action === 'package.published' && typeof version === 'string') {
      return (
        <Anchor
          {...look}
          renderRoot={(props) => (
            <Link {...props} to="/packages/$packageId/versions/$version" params={{ packageId, version }} />
          )}
        >
          {children}
        </Anchor>
      );
    }
    return (
      <Anchor {...look} renderRoot={(props) => <Link {...props} to="/packages/$packageId" params={{ packageId }} />}>
        {children}
      </Anchor>
    );
  }
  if (target.type === 'protected_environment' && (projectId !== null || groupId !== null)) {
    const owner = projectId === null ? { groupId: groupId ?? 0 } : { project: projectId };
    return (
      <Anchor
        {...look}
        renderRoot={(props) => <Link {...props} to="/environments" search={{ ...owner, name: target.name }} />}
      >
        {children}
      </Anchor>
    );
  }
  const access = accessOf(row);
  if (access !== undefined) {
    const { id } = access;
    return (
      <Anchor
        {...look}
        renderRoot={(props) =>
          access.kind === 'project' ? (
            <Link {...props} to="/people/projects/$id" params={{ id }} />
          ) : (
            <Link {...props} to="/people/groups/$id" params={{ id }} />
          )
        }
      >
        {children}
      </Anchor>
    );
  }
  const tab = peopleTab[target.type];
  if (tab === undefined) return children;
  return (
    <Anchor {...look} renderRoot={(props) => <Link {...props} to="/people" search={{ tab }} />}>
      {children}
    </Anchor>
  );
}

/** The project or group whose page shows the change: itself, or the access to it. */
function accessOf({ target, action, projectId, groupId }: AuditRow): ContainerReference | undefined {
  if (action.startsWith('member.') || action.startsWith('share.')) {
    if (projectId !== null) return { kind: 'project', id: projectId };
    return groupId === null ? undefined : { kind: 'group', id: groupId };
  }
  if (target.id === null || (target.type !== 'project' && target.type !== 'group')) return undefined;
  return { kind: target.type, id: target.id };
}

const peopleTab: Readonly<Record<string, 'users' | 'tokens' | undefined>> = {
  user: 'users',
  token: 'tokens',
};
