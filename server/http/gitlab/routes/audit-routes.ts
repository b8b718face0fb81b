import { GatehouseError } from '../../../contract/errors.ts';
import { authorizeInstance } from '../../../accounts/access/authorize.ts';
import type { AuditFilter, AuditRecord } from '../../../accounts/audit-store.ts';
import { type Answer, ok } from '../../respond.ts';
import { type GitlabCall, type GitlabRoute, groupOf, projectOf, read } from '../call.ts';
import { pageHeaders, readPage } from '../pagination.ts';
import { integer, moment } from '../params.ts';
import { timeText } from '../present-directory.ts';

/** What a list of audit events is about: a project, a group, or everything. */
type Scope = Pick<AuditFilter, 'projectId' | 'groupId'>;

/** The scope of a call. @throws GatehouseError if the caller may not read its events. */
type ScopeOf = (call: GitlabCall) => Scope;

function listEvents(call: GitlabCall, scope: Scope): Answer {
  const { created_after: from, created_before: to } = read(call, { created_after: moment(), created_before: moment() });
  const page = readPage(call.parameters());
  const narrowed: AuditFilter = {
    ...scope,
    ...(typeof from === 'number' ? { from } : {}),
    ...(typeof to === 'number' ? { to } : {}),
  };
  const { audit } = call.registry.people;
  const rows = audit.list(narrowed, { limit: page.perPage, offset: page.offset });
  return ok(
    rows.map((row) => presentEvent(call, row)),
    pageHeaders(call, page, audit.count(narrowed)),
  );
}

function getEvent(call: GitlabCall, scope: Scope): Answer {
  const { audit_event_id: id } = read(call, { audit_event_id: integer({ required: true }) });
  const row = call.registry.people.audit.find(id ?? 0);
  const belongs =
    row &&
    (scope.projectId === undefined || row.projectId === scope.projectId) &&
    (scope.groupId === undefined || row.groupId === scope.groupId);
  if (!row || !belongs) throw new GatehouseError('not_found');
  return ok(presentEvent(call, row));
}

/** A row of the audit trail in the shape of GitLab's audit events; the change is in `details`. */
function presentEvent(call: GitlabCall, row: AuditRecord) {
  const { directory } = call.registry;
  const [entityType, entityId] =
    row.projectId !== null
      ? ['Project', row.projectId]
      : row.groupId !== null
        ? ['Group', row.groupId]
        : ['Instance', 0];
  const entityPath =
    entityType === 'Project' ? directory.findProject(entityId)?.fullPath : directory.findGroup(entityId)?.fullPath;
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
      target_details: row.targetName,
      ip_address: row.address,
      entity_path: entityPath ?? null,
      origin: row.origin,
      before: row.before,
      after: row.after,
    },
    created_at: timeText(row.at),
  };
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
