import { GatehouseError } from '../../../contract/errors.ts';
import { authorizeInstance } from '../../../accounts/access/authorize.ts';
import type { AuditFilter, AuditRecord } from '../../../accounts/audit-store.ts';
import { withoutHiddenGroups } from '../../../environments/protection-audit.ts';
import type { AnswerOf } from '../../openapi/schemas.ts';
import { type Answer, ok } from '../../respond.ts';
import { type GitlabCall, type GitlabOperation, type GitlabRoute, groupOf, idOf, projectOf, read } from '../call.ts';
import { pageHeaders, readPage } from '../lists.ts';
import { type Declaration, given, moment } from '../params.ts';
import { timeText } from '../present-directory.ts';
import { visibleGroups } from '../../visibility.ts';

/** What a list of audit events is about: a project, a group, or everything. */
type Scope = Pick<AuditFilter, 'projectId' | 'groupId'>;

/** The scope of a call. @throws GatehouseError if the caller may not read its events. */
type ScopeOf = (call: GitlabCall) => Scope;

const period = { created_after: moment(), created_before: moment() } satisfies Declaration;

function listEvents(call: GitlabCall, scope: Scope): Answer {
  const { created_after: from, created_before: to } = read(call, period);
  const page = readPage(call.parameters());
  const narrowed: AuditFilter = { ...scope, ...given({ from, to }) };
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
function presentEvent(call: GitlabCall, row: AuditRecord): AnswerOf<'AuditEvent'> {
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

function entityOf(
  { registry: { directory } }: GitlabCall,
  { projectId, groupId }: AuditRecord,
): { entityType: AnswerOf<'AuditEvent'>['entity_type']; entityId: number; entityPath?: string | undefined } {
  if (projectId !== null) {
    return { entityType: 'Project', entityId: projectId, entityPath: directory.findProject(projectId)?.fullPath };
  }
  if (groupId === null) return { entityType: 'Instance', entityId: 0 };
  return { entityType: 'Group', entityId: groupId, entityPath: directory.findGroup(groupId)?.fullPath };
}

function routesOf(
  collection: string,
  { of, access, scopeOf }: { of: string; access: GitlabOperation['access']; scopeOf: ScopeOf },
): GitlabRoute[] {
  return [
    {
      pattern: collection,
      GET: {
        handle: (call) => listEvents(call, scopeOf(call)),
        summary: `List audit events of ${of}`,
        access,
        parameters: period,
        paged: true,
        answers: { 200: 'AuditEvent[]' },
      },
    },
    {
      pattern: `${collection}/:audit_event_id`,
      GET: {
        handle: (call) => getEvent(call, scopeOf(call)),
        summary: `Show an audit event of ${of}`,
        access,
        answers: { 200: 'AuditEvent' },
      },
    },
  ];
}

/** The audit trail of a project, a group, or everything. */
export const auditRoutes: readonly GitlabRoute[] = [
  ...routesOf('/projects/:id/audit_events', {
    of: 'a project',
    access: 'project.read_audit',
    scopeOf: (call) => ({ projectId: projectOf(call, 'project.read_audit').id }),
  }),
  ...routesOf('/groups/:id/audit_events', {
    of: 'a group',
    access: 'group.read_audit',
    scopeOf: (call) => ({ groupId: groupOf(call, 'group.read_audit').id }),
  }),
  ...routesOf('/audit_events', {
    of: 'the registry',
    access: 'administrate_read',
    scopeOf: (call) => {
      authorizeInstance(call.principal, 'administrate_read');
      return {};
    },
  }),
];
