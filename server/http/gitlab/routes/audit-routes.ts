import { GatehouseError } from '../../../contract/errors.ts';
import { authorizeGroup, authorizeInstance, authorizeProject } from '../../../accounts/access/authorize.ts';
import type { AuditFilter, AuditRecord } from '../../../accounts/audit-store.ts';
import { type Answer, type GitlabCall, type Handler, headersOf, ok, pathParameter, read } from '../call.ts';
import { readPage } from '../pagination.ts';
import { integer, moment } from '../params.ts';
import { timeText } from '../present-directory.ts';
import type { Route } from '../route-table.ts';

/** What a list of audit events is about: a project, a group, or everything. */
type Scope = Pick<AuditFilter, 'projectId' | 'groupId'>;

/** The scope of a call, if the caller may read its events. */
type ScopeOf = (call: GitlabCall) => Scope;

const projectOf: ScopeOf = (call) => {
  const { directory } = call.services.directory;
  const project = authorizeProject(directory, call.principal, pathParameter(call, 'id'), 'project.read_audit');
  return { projectId: project.id };
};

const groupOf: ScopeOf = (call) => {
  const { directory } = call.services.directory;
  const group = authorizeGroup(directory, call.principal, pathParameter(call, 'id'), 'group.read_audit');
  return { groupId: group.id };
};

const instanceOf: ScopeOf = (call) => {
  authorizeInstance(call.principal, 'administrate_read');
  return {};
};

function listEvents(call: GitlabCall, scope: Scope): Answer {
  const { created_after: from, created_before: to } = read(call, { created_after: moment(), created_before: moment() });
  const page = readPage(call.parameters());
  const narrowed: AuditFilter = {
    ...scope,
    ...(typeof from === 'number' ? { from } : {}),
    ...(typeof to === 'number' ? { to } : {}),
  };
  const { audit } = call.services.directory;
  const rows = audit.list(narrowed, { limit: page.perPage, offset: page.offset });
  return {
    status: 200,
    body: rows.map((row) => presentEvent(call, row)),
    headers: headersOf(call, page, audit.count(narrowed)),
  };
}

function getEvent(call: GitlabCall, scope: Scope): Answer {
  const { audit_event_id: id } = read(call, { audit_event_id: integer({ required: true }) });
  const row = call.services.directory.audit.find(id ?? 0);
  const belongs =
    row &&
    (scope.projectId === undefined || row.projectId === scope.projectId) &&
    (scope.groupId === undefined || row.groupId === scope.groupId);
  if (!row || !belongs) throw new GatehouseError('not_found');
  return ok(presentEvent(call, row));
}

/** A row of the audit trail in the shape of GitLab's audit events; what changed stands in `details`. */
function presentEvent(call: GitlabCall, row: AuditRecord) {
  const { directory } = call.services.directory;
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

function routesOf(collection: string, scopeOf: ScopeOf): Route<Handler>[] {
  return [
    { method: 'GET', pattern: collection, handler: (call) => listEvents(call, scopeOf(call)) },
    { method: 'GET', pattern: `${collection}/:audit_event_id`, handler: (call) => getEvent(call, scopeOf(call)) },
  ];
}

/** Who changed what and when, of a project, a group, or everything. */
export const auditRoutes: Route<Handler>[] = [
  ...routesOf('/projects/:id/audit_events', projectOf),
  ...routesOf('/groups/:id/audit_events', groupOf),
  ...routesOf('/audit_events', instanceOf),
];
