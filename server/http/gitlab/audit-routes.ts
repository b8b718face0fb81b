import { GatehouseError } from '../../contract/errors.ts';
import { authorizeGroup, authorizeInstance, authorizeProject } from '../../directory/authorize.ts';
import type { AuditFilter, AuditRecord } from '../../directory/audit-store.ts';
import { type Answer, type GitlabCall, type Handler, headersOf, ok, pathParameter, read } from './call.ts';
import { readPage } from './pagination.ts';
import { integer, moment } from './params.ts';
import { timeText } from './present-directory.ts';
import type { Route } from './route-table.ts';

/** What a list of audit events is about, with GitLab's words for it. */
interface Entity {
  readonly filter: Pick<AuditFilter, 'projectId' | 'groupId'>;
}

type EntityOf = (call: GitlabCall) => Entity;

const projectOf: EntityOf = (call) => {
  const { directory } = call.services.directory;
  const project = authorizeProject(directory, call.principal, pathParameter(call, 'id'), 'project.read_audit');
  return { filter: { projectId: project.id } };
};

const groupOf: EntityOf = (call) => {
  const { directory } = call.services.directory;
  const group = authorizeGroup(directory, call.principal, pathParameter(call, 'id'), 'group.read_audit');
  return { filter: { groupId: group.id } };
};

const instanceOf: EntityOf = (call) => {
  authorizeInstance(call.principal, 'administrate_read');
  return { filter: {} };
};

function listEvents(call: GitlabCall, { filter }: Entity): Answer {
  const { created_after: from, created_before: to } = read(call, { created_after: moment(), created_before: moment() });
  const page = readPage(call.parameters());
  const narrowed: AuditFilter = {
    ...filter,
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

function getEvent(call: GitlabCall, { filter }: Entity): Answer {
  const { audit_event_id: id } = read(call, { audit_event_id: integer({ required: true }) });
  const row = call.services.directory.audit.find(id ?? 0);
  const belongs =
    row &&
    (filter.projectId === undefined || row.projectId === filter.projectId) &&
    (filter.groupId === undefined || row.groupId === filter.groupId);
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

function routesOf(collection: string, entityOf: EntityOf): Route<Handler>[] {
  return [
    { method: 'GET', pattern: collection, handler: (call) => listEvents(call, entityOf(call)) },
    { method: 'GET', pattern: `${collection}/:audit_event_id`, handler: (call) => getEvent(call, entityOf(call)) },
  ];
}

/** Who changed what and when, of a project, a group, or everything. */
export const auditRoutes: Route<Handler>[] = [
  ...routesOf('/projects/:id/audit_events', projectOf),
  ...routesOf('/groups/:id/audit_events', groupOf),
  ...routesOf('/audit_events', instanceOf),
];
