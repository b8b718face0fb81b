import { GatehouseError } from '../../../contract/errors.ts';
import { authorizeInstance } from '../../../accounts/access/authorize.ts';
import type { AuditFilter, AuditRecord } from '../../../accounts/audit-store.ts';
import { withoutHiddenGroups } from '../../../environments/protection-audit.ts';
import { type Answer, ok } from '../../respond.ts';
import { type GitlabCall, type GitlabRoute, groupOf, idOf, projectOf, read } from '../call.ts';
import { pageHeaders, readPage } from '../lists.ts';
import { given, moment } from '../params.ts';
import { timeText, visibleGroups } from '../present-directory.ts';

/** What a list of audit events is about: a project, a group, or everything. */
type Scope = Pick<AuditFilter, 'projectId' | 'groupId'>;

/** The scope of a call. @throws GatehouseError if the caller may not read its events. */
type ScopeOf = (call: GitlabCall) => Scope;

function listEvents(call: GitlabCall, scope: Scope): Answer {
  const period = read(call, { created_after: moment(), created_before: moment() });
  const page = readPage(call.parameters());
  const narrowed: AuditFilter = { ...scope, ...given({ from: period.created_after, to: period.created_before }) };
  const { audit } = call.registry.people;
  const rows = audit.list(narrowed, { limit: page.perPage, offset: page.offset });
  return ok(
    rows.map((row) => presentEvent(call, row)),
    pageHeaders(call, page, audit.count(narrowed)),
  );
}

function getEvent(call: GitlabCall, scope: Scope): Answer {
  const row = call.registry.people.audit.find(idOf(call, 'audit_event_id'));
  if (!row) throw new GatehouseError('not_found');
  const { projectId = row.projectId, groupId = row.groupId } = scope;
  if (row.projectId !== projectId || row.groupId !== groupId) throw new GatehouseError('not_found');
  return ok(presentEvent(call, row));
}

/** A row of the audit trail in the shape of GitLab's audit events; the change is in `details`. */
function presentEvent(call: GitlabCall, row: AuditRecord) {
  const { entityType, entityId, entityPath } = entityOf(call, row);
  const isVisible = visibleGroups(call);
  const hidesTarget = row.targetType === 'group' && row.targetId !== null && !isVisible(row.targetId);
  return {
    id: row.id,
    author_id: row.actorId ?? -1,
    entity_id: entityId,
    entity_type: entityType,
    event_name: row.action,
    details: {
      event_name: row.action,
      author_name: row.actorName,
      author_class: row.actorId === null ? 'System' : 'User',
      target_id: row.targetId,
      target_type: row.targetType,
      target_details: hidesTarget ? `group ${row.targetId}` : row.targetName,
      ip_address: row.address,
      entity_path: entityPath ?? null,
      origin: row.origin,
      before: withoutHiddenGroups(row.before, isVisible),
      after: withoutHiddenGroups(row.after, isVisible),
    },
    created_at: timeText(row.at),
  };
}

function entityOf({ registry: { directory } }: GitlabCall, { projectId, groupId }: AuditRecord) {
  if (projectId !== null) {
    return { entityType: 'Project', entityId: projectId, entityPath: directory.findProject(projectId)?.fullPath };
  }
  if (groupId === null) return { entityType: 'Instance', entityId: 0 };
  return { entityType: 'Group', entityId: groupId, entityPath: directory.findGroup(groupId)?.fullPath };
}

function routesOf(collection: string, scopeOf: ScopeOf): GitlabRoute[] {
  return [
    { pattern: collection, GET: (call) => listEvents(call, scopeOf(call)) },
    { pattern: `${collection}/:audit_event_id`, GET: (call) => getEvent(call, scopeOf(call)) },
  ];
}

/** The audit trail of a project, a group, or everything. */
export const auditRoutes: readonly GitlabRoute[] = [
  ...routesOf('/projects/:id/audit_events', (call) => ({ projectId: projectOf(call, 'project.read_audit').id })),
  ...routesOf('/groups/:id/audit_events', (call) => ({ groupId: groupOf(call, 'group.read_audit').id })),
  ...routesOf('/audit_events', (call) => {
    authorizeInstance(call.principal, 'administrate_read');
    return {};
  }),
];
