import { describeMissing, type Release } from '../../../guards/release.ts';
import { integrityOf } from '../../../lib/integrity.ts';
import { entryOf, noSuchStage, type StagedEntry, type StagedVersion } from '../../../registry/staging.ts';
import { tarballFileName } from '../../../registry/package-name.ts';
import { asObject } from '../../../registry/publish/upload-document.ts';
import type { AnswerOf } from '../../openapi/schemas.ts';
import { noteVersion } from '../../request-log.ts';
import { type Answer, noStore, numberInQuery, ok, queryOf } from '../../respond.ts';
import type { PathParameters } from '../../route-matcher.ts';
import { actorOf, type NpmCall, type NpmRoute, requireUser } from '../npm-call.ts';
import { damaged, sendFile } from '../send-tarball.ts';
import { differenceNotice } from './publish-handlers.ts';
import { receiveDocument, requirePublishing } from '../receive-document.ts';
import { outcomeNotice, projectsWithReleases, requireRelease } from './release-handlers.ts';

const paging = {
  page: { type: 'integer', minimum: 0, maximum: 1_000_000, default: 0 },
  perPage: { type: 'integer', minimum: 1, maximum: 250, default: 100 },
} as const;

/**
 * `npm stage`. Who may publish to a project may stage and see there. Who approves and rejects, the guard of the tag says;
 * without one, who may publish.
 */
export const stageRoutes: readonly NpmRoute[] = [
  {
    pattern: '/-/stage',
    GET: {
      handle: listStages,
      summary: 'List staged versions',
      access: 'packages.publish',
      query: { package: { type: 'string', description: 'Only of this package.' }, ...paging },
      answers: { 200: 'StagedVersions' },
    },
  },
  {
    pattern: '/-/stage/package/*name',
    POST: {
      handle: stage,
      summary: 'Stage a version',
      description: 'A publish that nobody can install before it is approved; at the prefix of a project.',
      access: 'packages.publish',
      body: 'PublishDocument',
      answers: { 201: 'StagedChange' },
      errors: [405, 409],
    },
  },
  {
    pattern: '/-/stage/:stage',
    GET: {
      handle: viewStage,
      summary: 'Show a staged version',
      access: 'packages.publish',
      answers: { 200: 'StagedDetail' },
    },
    DELETE: {
      handle: rejectStage,
      summary: 'Reject a staged version',
      access: 'packages.publish',
      answers: { 200: 'StagedChange' },
      errors: [409],
    },
  },
  {
    pattern: '/-/stage/:stage/tarball',
    GET: {
      handle: downloadStage,
      summary: 'Download a staged tarball',
      access: 'packages.publish',
      answers: { 200: 'bytes' },
    },
  },
  {
    pattern: '/-/stage/:stage/approve',
    POST: {
      handle: approveStage,
      summary: 'Publish a staged version',
      access: 'packages.publish',
      answers: { 200: 'StagedChange' },
      errors: [409],
    },
  },
];

async function stage(call: NpmCall, { name = '' }: PathParameters): Promise<Answer> {
  requireUser(call, 'write_packages');
  const project = requirePublishing(call);
  const upload = await receiveDocument(call, call.registry.packages.limits);
  try {
    const target = { project, nameInUrl: name, actor: actorOf(call) };
    const staged = await call.registry.npm.staging.stage(upload, asObject(upload.document), target);
    noteVersion(call.req, staged.prepared.version.version);
    const difference = differenceNotice(staged.prepared.differences ?? [])['npm-notice'];
    const notice = `${difference ? `${difference} ` : ''}Nobody can install it yet. Publish it with: npm stage approve ${staged.id}`;
    return { status: 201, body: presentChanged(staged), headers: { 'npm-notice': notice } };
  } finally {
    await upload.discard();
  }
}

function listStages(call: NpmCall): Answer {
  requireUser(call, 'write_packages');
  const query = queryOf(call.req);
  const page = numberInQuery(query, 'page', paging.page);
  const perPage = numberInQuery(query, 'perPage', paging.perPage);
  const { total, rows } = call.registry.npm.staging.list({
    projectIds: projectsWithReleases(call),
    packageName: query.get('package') ?? undefined,
    offset: page * perPage,
    limit: perPage,
  });
  return ok({ items: rows.map(present), total, page, perPage }, noStore);
}

/** npm prints every field as it is, so there are only texts and numbers. */
function viewStage(call: NpmCall, parameters: PathParameters): Answer {
  const { staged, release } = requireStage(call, parameters);
  const { size, fileCount, unpackedSize } = staged.prepared.version;
  const { gates, project } = release;
  const missing =
    gates.length === 0
      ? '1 approval by a user who may publish'
      : describeMissing(gates) || 'nothing: the next approval publishes it';
  const detail = { project: project.fullPath, size, fileCount, unpackedSize, missing };
  return ok({ ...present(entryOf(staged)), ...detail }, noStore);
}

async function downloadStage(call: NpmCall, parameters: PathParameters): Promise<undefined> {
  const { staged } = requireStage(call, parameters);
  const { name, version, digests } = staged.prepared;
  const file = await call.registry.packages.tarballs.openFile(digests.sha512);
  if (!file) throw damaged(`${name}@${version.version}`, false);
  try {
    call.res.writeHead(200, {
      'Content-Type': 'application/octet-stream',
      'Content-Length': version.size,
      'Content-Disposition': `attachment; filename="${tarballFileName(name, version.version)}"`,
      ...noStore,
    });
    if (call.req.method === 'GET') await sendFile(call, file, { sha512: digests.sha512, start: 0, end: version.size });
    else call.res.end();
  } finally {
    await file.close();
  }
}

/** One approval. Where the tag is guarded, others may still be missing, and the answer says so. */
async function approveStage(call: NpmCall, parameters: PathParameters): Promise<Answer> {
  const { staged } = requireStage(call, parameters);
  const outcome = await call.registry.releaseDecisions.approve(staged.id, actorOf(call));
  const changed = presentChanged(staged);
  if (outcome.state !== 'published') return ok(changed, outcomeNotice(call, outcome));
  const publishedAt = new Date(outcome.published.publishedAt).toISOString();
  return ok({ ...changed, status: 'approved', publishedAt }, outcomeNotice(call, outcome));
}

async function rejectStage(call: NpmCall, parameters: PathParameters): Promise<Answer> {
  const { staged } = requireStage(call, parameters);
  await call.registry.releaseDecisions.reject(staged.id, actorOf(call));
  return ok({ ...presentChanged(staged), status: 'rejected' });
}

/** A staged version below the prefix. @throws GatehouseError as `requireRelease`. */
function requireStage(call: NpmCall, { stage: id = '' }: PathParameters): { staged: StagedVersion; release: Release } {
  const release = requireRelease(call, id);
  if (release.subject.kind !== 'version') throw noSuchStage(id);
  return { staged: call.registry.npm.staging.require(release.id), release };
}

/** The answer to a change of a staged version. */
function presentChanged(staged: StagedVersion): AnswerOf<'StagedChange'> {
  return { ...present(entryOf(staged)), stageId: staged.id, ok: true };
}

function present({ id, name, version, tags, digests, createdAt, actorName }: StagedEntry): AnswerOf<'StagedVersion'> {
  return {
    id,
    packageName: name,
    version,
    tag: tags[0] ?? 'latest',
    tags: [...tags],
    status: 'pending',
    createdAt: new Date(createdAt).toISOString(),
    actor: actorName,
    actorType: 'user',
    shasum: digests.sha1,
    integrity: integrityOf(digests.sha512),
  };
}
