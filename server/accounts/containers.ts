import type { Actor, AuditEntry, Change } from './change.ts';
import type { Directory } from './directory.ts';
import type { Container, NamespaceRecord, ProjectRecord } from './records.ts';

// What groups and projects have in common.

/** Makes a user the owner of a new project or group. */
export function addOwner(
  { store }: Directory,
  change: Change,
  actor: Actor,
  container: Container,
  userId: number,
): void {
  const createdBy = actor.userId;
  store.members.insert({ container, userId, level: 50, createdBy, createdAt: change.now, expiresOn: null });
}

/** The full path of a group or project with another last segment. */
export function renamed({ fullPath, path }: NamespaceRecord | ProjectRecord, newPath: string): string {
  return fullPath.slice(0, fullPath.length - path.length) + newPath;
}

/** What the audit trail shows of a group or project. */
export function auditSummary({ name, fullPath, description, visibility }: NamespaceRecord | ProjectRecord) {
  return { name, path: fullPath, description, visibility };
}

/** Where a row of the audit trail belongs. */
export function auditScope({ kind, id }: Container): Pick<AuditEntry, 'projectId' | 'groupId'> {
  return kind === 'project' ? { projectId: id } : { groupId: id };
}
