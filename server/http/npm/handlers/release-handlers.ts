import { z } from 'zod';
import { GatehouseError } from '../../../contract/errors.ts';
import { authorizeProject } from '../../../accounts/access/authorize.ts';
import type { Approval } from '../../../guards/release-store.ts';
import {
  describeMissing,
  describeRelease,
  type Gate,
  type Outcome,
  readerOf,
  type Release,
} from '../../../guards/release.ts';
import { maximumCommentLength } from '../../../guards/release-decisions.ts';
import { noSuchStage } from '../../../registry/staging.ts';
import type { AnswerOf } from '../../openapi/schemas.ts';
import { type Answer, created, noStore, numberInQuery, ok, queryOf } from '../../respond.ts';
import { printsNoNotice } from '../../negotiate.ts';
import { readDocument } from '../../request-body.ts';
import type { PathParameters } from '../../route-matcher.ts';
import {
  actorOf,
  isAllowed,
  type NpmCall,
  type NpmRoute,
  readableProjects,
  requireProject,
  requireUser,
} from '../npm-call.ts';

const paging = {
  page: { type: 'integer', minimum: 1, maximum: 1_000_000, default: 1 },
  per_page: { type: 'integer', minimum: 1, maximum: 100, default: 20 },
} as const;

const verdict = z.object({
  status: z.enum(['approved', 'rejected']),
  comment: z.string().max(maximumCommentLength).nullish(),
  represented_as: z.string().max(255).nullish(),
});

const verdictComplaint = `The body is not a decision: {"status": "approved" or "rejected", "comment": …, "represented_as": …}; a comment has at most ${maximumCommentLength} characters.`;

/** What waits for approval: staged versions, and moves of guarded dist-tags that were asked for. */
export const releaseRoutes: readonly NpmRoute[] = [
  {
    pattern: '/-/requests',
    GET: {
      handle: listReleases,
      summary: 'List what waits for approval',
      description: 'For those who may publish to a project or whose approval would count there.',
      access: 'packages.approve',
      query: { package: { type: 'string', description: 'Only of this package.' }, ...paging },
      answers: { 200: 'WaitingReleases' },
    },
  },
  {
    pattern: '/-/requests/:release',
    GET: {
      handle: viewRelease,
      summary: 'Show what waits for approval',
      access: 'packages.approve',
      answers: { 200: 'WaitingRelease' },
    },
  },
  {
    pattern: '/-/requests/:release/approval',
    POST: {
      handle: decideRelease,
      summary: 'Approve or reject',
      description: 'The last approval that is needed publishes the version, or moves the tag. A rejection ends it.',
      access: 'packages.approve',
      body: verdict,
      answers: { 201: 'WaitingRelease' },
      errors: [409, 422],
    },
  },
];

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

function listReleases(call: NpmCall): Answer {
  requireUser(call, 'write_packages');
  const query = queryOf(call.req);
  const page = numberInQuery(query, 'page', paging.page);
  const perPage = numberInQuery(query, 'per_page', paging.per_page);
  const { releases } = call.registry;
  const found = releases.list(projectsWithReleases(call), query.get('package') ?? undefined);
  const reader = readerOf(call.registry.directory, call.principal);
  const items = found
    .slice((page - 1) * perPage, page * perPage)
    .flatMap((subject) => releases.describe(subject, reader) ?? [])
    .map((release) => presentRelease(call, release));
  return ok({ items, total: found.length, page, per_page: perPage }, noStore);
}

function viewRelease(call: NpmCall, { release: id = '' }: PathParameters): Answer {
  return ok(presentRelease(call, requireRelease(call, id)), noStore);
}

async function decideRelease(call: NpmCall, { release: id = '' }: PathParameters): Promise<Answer> {
  requireUser(call, 'write_packages');
  const { status, comment, represented_as: representedAs } = await readDocument(call.req, verdict, verdictComplaint);
  const release = requireRelease(call, id);
  const { releaseDecisions } = call.registry;
  if (status === 'rejected') {
    await releaseDecisions.reject(release.id, actorOf(call), { comment: comment ?? undefined });
    return created({ ...presentRelease(call, release), status: 'rejected' });
  }
  const given = { comment: comment ?? undefined, representedAs: representedAs ?? undefined };
  const outcome = await releaseDecisions.approve(release.id, actorOf(call), given);
  return { ...created(presentOutcome(call, outcome)), headers: outcomeNotice(call, outcome) };
}

/** Ids of the projects below the prefix in which something waits of which the caller may know: those who may publish there, and who may approve. */
export function projectsWithReleases(call: NpmCall): number[] {
  requirePlace(call);
  const waiting = call.registry.releases.projects();
  return readableProjects(call)
    .filter(({ id }) => waiting.has(id) && seesReleases(call, id))
    .map(({ id }) => id);
}

/**
 * Something that waits below the prefix, for a caller who may publish to its project or approve there. Decided again inside the write.
 * @throws GatehouseError `invalid_request` for what is no id, `not_found` also for what the caller may not know of.
 */
export function requireRelease(call: NpmCall, id: string): Release {
  requireUser(call, 'write_packages');
  if (!uuid.test(id)) {
    throw new GatehouseError(
      'invalid_request',
      'The id of what waits is a UUID; "npm stage list" shows those of versions.',
    );
  }
  requirePlace(call);
  const release = call.registry.releases.find(id.toLowerCase(), readerOf(call.registry.directory, call.principal));
  const project = release && readableProjects(call).find((candidate) => candidate.id === release.project.id);
  if (!release || !project || !seesReleases(call, project.id)) throw noSuchStage(id);
  authorizeProject(call.registry.directory, call.principal, project.id, 'packages.approve');
  return release;
}

/** Refuses, below a project, a caller who may neither publish nor approve there. */
function requirePlace(call: NpmCall): void {
  if (call.prefix.kind !== 'project') return;
  const { id } = requireProject(call, 'packages.approve');
  if (!seesReleases(call, id)) requireProject(call, 'packages.publish');
}

function seesReleases(call: NpmCall, projectId: number): boolean {
  const { registry, principal } = call;
  const project = registry.directory.findProject(projectId);
  if (isAllowed(call, project, 'packages.publish')) return true;
  if (principal.kind === 'anonymous' || !isAllowed(call, project, 'packages.approve')) return false;
  return registry.releases.isApprover(projectId, principal.user.id);
}

/**
 * The answer to a publish or a move of a tag that waits for approval now. npm and Bun end with 0, so the notice says what did not happen.
 * @throws GatehouseError with the same text for clients that print no notice and would say that it was published.
 */
export function answerWaiting(call: NpmCall, release: Release): Answer {
  const { id, subject, gates, packageName, version, tags } = release;
  const what = describeRelease(release);
  const people = call.registry.releases.approvers(release, 5).map(({ username }) => username);
  const how = subject.kind === 'version' ? `, in the inbox or with "npm stage approve ${id}"` : '';
  const who = people.length === 0 ? 'Nobody can approve it now' : `${people.join(' or ')} can approve it${how}`;
  const not = subject.kind === 'version' ? 'NOT PUBLISHED' : 'NOT MOVED';
  const success = subject.kind === 'version' ? '+ ' : `+${tags.join()}: `;
  const notice = `${not}: ${what} waits for approval. It needs ${describeMissing(gates)}. ${who}.`;
  refuseToMislead(call, notice);
  return {
    status: 202,
    body: { ...presentRelease(call, release), ok: true },
    headers: {
      'npm-notice': headerText(
        `${notice} The line "${success}${packageName}@${version}" below only means that the request arrived.`,
      ),
    },
  };
}

function refuseToMislead({ req }: NpmCall, text: string): void {
  if (printsNoNotice(req)) throw new GatehouseError('tag_guarded', text, { gitlabMessage: '403 Forbidden' });
}

/**
 * What npm prints after an approval, in a header: that something is still missing, or what happened.
 * @throws GatehouseError as `answerWaiting`; the approval counts all the same.
 */
export function outcomeNotice(call: NpmCall, outcome: Outcome): Record<string, string> {
  const { release } = outcome;
  const what = describeRelease(release);
  const text =
    outcome.state === 'waiting'
      ? `Your approval of ${what} counts. It is NOT ${release.subject.kind === 'version' ? 'published' : 'moved'} yet: it still needs ${describeMissing(release.gates)}.`
      : outcome.state === 'published'
        ? `${what} has every approval and is published.`
        : `${what} has every approval: the dist-tag is moved.`;
  if (outcome.state === 'waiting') refuseToMislead(call, text);
  return { 'npm-notice': headerText(text) };
}

/** Names of rules and groups may have letters that a header cannot carry. */
export function headerText(text: string): string {
  return text.replaceAll(/[^\x20-\x7e]/g, '?');
}

/** What became of an approval, as JSON. */
export function presentOutcome(call: NpmCall, outcome: Outcome) {
  const status = outcome.state === 'waiting' ? 'pending' : 'approved';
  return { ...presentRelease(call, outcome.release), status };
}

/** Something that waits, with GitLab's fields of a deployment that needs approval. */
function presentRelease(call: NpmCall, release: Release): AnswerOf<'WaitingRelease'> {
  const { id, subject, project, packageName, version, tags, requester, createdAt, approvals, gates } = release;
  const missing = gates.reduce((sum, { progress }) => sum + progress.missing, 0);
  return {
    id,
    kind: subject.kind,
    status: 'pending',
    project_id: project.id,
    package_name: packageName,
    version,
    tags: [...tags],
    from_version: subject.kind === 'tag' ? subject.request.fromVersion : null,
    requested_by: requester.username,
    created_at: new Date(createdAt).toISOString(),
    environments: gates.map(({ environment, tags: [...guarded] }) => ({ name: environment, tags: guarded })),
    pending_approval_count: missing,
    missing: missing === 0 ? null : describeMissing(gates),
    approvals: approvals.map((approval) => presentApproval(call, approval)),
    approval_summary: { rules: gates.flatMap((gate) => presentRules(call, gate, approvals)) },
  };
}

function presentApproval(
  { registry, origin }: NpmCall,
  { userId, comment, representedAs, createdAt }: Approval,
): AnswerOf<'ReleaseApproval'> {
  const user = registry.directory.index.users.get(userId);
  return {
    user: user && {
      id: user.id,
      username: user.username,
      name: user.name,
      state: user.state,
      avatar_url: null,
      web_url: `${origin}/${user.username}`,
    },
    status: 'approved',
    created_at: new Date(createdAt).toISOString(),
    comment,
    represented_as: representedAs,
  };
}

function presentRules(call: NpmCall, { environment, progress }: Gate, approvals: readonly Approval[]) {
  return progress.rules.map(({ rule, required, approvedBy }) => ({
    environment,
    id: rule?.id ?? null,
    user_id: rule?.userId ?? null,
    group_id: rule?.groupId ?? null,
    access_level: rule?.accessLevel ?? null,
    access_level_description: rule?.description ?? 'Users who may deploy',
    group_inheritance_type: rule?.groupInheritanceType ?? 0,
    required_approvals: required,
    deployment_approvals: approvals
      .filter(({ userId }) => approvedBy.includes(userId))
      .map((approval) => presentApproval(call, approval)),
  }));
}
