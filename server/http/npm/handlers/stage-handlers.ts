import { GatehouseError } from '../../../contract/errors.ts';
import type { Project } from '../../../accounts/access/principal.ts';
import { receiveUpload } from '../../../registry/publish/receive-upload.ts';
import { noSuchStage } from '../../../registry/staging.ts';
import type { StagedVersion } from '../../../registry/staging.ts';
import { tarballFileName } from '../../../registry/package-name.ts';
import { asObject } from '../../../registry/publish/upload-document.ts';
import { readBody } from '../../request-body.ts';
import { sendFile } from '../../send-file.ts';
import { queryOf, sendJson } from '../../respond.ts';
import { actorOf, isAllowed, requireProject, requireUser } from '../npm-context.ts';
import type { NpmContext } from '../npm-context.ts';
import { readableProjects } from '../npm-scope.ts';
import { notHere } from './publish-handlers.ts';
import type { PathParameters, Service } from '../service-paths.ts';

/** `npm stage` (api/clients.md 3). Whoever may publish to a project may stage, see, approve and reject there. */
export const stageServices: readonly Service[] = [
  { path: 'stage', methods: { GET: listStages } },
  { path: 'stage/package/*name', methods: { POST: stage } },
  { path: 'stage/:id', methods: { GET: viewStage, DELETE: rejectStage } },
  { path: 'stage/:id/tarball', methods: { GET: downloadStage } },
  { path: 'stage/:id/approve', methods: { POST: approveStage } },
];

const largestPage = 250;
const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

async function stage(context: NpmContext, { name = '' }: PathParameters): Promise<void> {
  requireUser(context);
  if (context.prefix.kind !== 'project') throw notHere();
  const project = requireProject(context, 'packages.publish');
  const { tarballs, limits } = context.registry.packages;
  const upload = await receiveUpload(readBody(context.req), {
    tarballs,
    limits,
  });
  try {
    const staged = await context.registry.npm.staging.stage(upload, asObject(upload.document), {
      project,
      nameInUrl: name,
      actor: actorOf(context),
    });
    const notice = `Nobody can install it yet. Publish it with: npm stage approve ${staged.id}`;
    sendJson(context.res, 201, { ...present(staged), stageId: staged.id, ok: true }, { 'npm-notice': notice });
  } finally {
    await upload.discard();
  }
}

function listStages(context: NpmContext): void {
  requireUser(context);
  const query = queryOf(context.req);
  const page = wholeNumber(query.get('page'), 0, 1_000_000);
  const perPage = Math.max(1, wholeNumber(query.get('perPage'), 100, largestPage));
  const projects =
    context.prefix.kind === 'project'
      ? [requireProject(context, 'packages.publish')]
      : readableProjects(context).filter((project) => isAllowed(context, project, 'packages.publish'));
  const { total, rows } = context.registry.npm.staging.list({
    projectIds: projects.map(({ id }) => id),
    packageName: query.get('package') ?? undefined,
    offset: page * perPage,
    limit: perPage,
  });
  sendJson(context.res, 200, { items: rows.map(present), total, page, perPage }, noStore);
}

/** npm prints every field as it is, so there are texts and numbers alone; the tarball has the rest. */
function viewStage(context: NpmContext, parameters: PathParameters): void {
  const { staged, project } = requireStage(context, parameters);
  const { version } = staged.prepared;
  sendJson(
    context.res,
    200,
    {
      ...present(staged),
      project: project.fullPath,
      size: version.size,
      fileCount: version.fileCount,
      unpackedSize: version.unpackedSize,
    },
    noStore,
  );
}

async function downloadStage(context: NpmContext, parameters: PathParameters): Promise<void> {
  const { staged } = requireStage(context, parameters);
  const { name, version, digests } = staged.prepared;
  const file = await context.registry.packages.tarballs.openFile(digests.sha512);
  if (!file) {
    throw new GatehouseError(
      'data_damaged',
      `The tarball of ${name}@${version.version} is missing on disk. Run "gatehouse doctor" to see what is wrong.`,
    );
  }
  try {
    context.res.writeHead(200, {
      'Content-Type': 'application/octet-stream',
      'Content-Length': version.size,
      'Content-Disposition': `attachment; filename="${tarballFileName(name, version.version)}"`,
      ...noStore,
    });
    if (context.req.method === 'GET') await sendFile(file, context.res, 0, version.size);
    context.res.end();
  } finally {
    await file.close();
  }
}

async function approveStage(context: NpmContext, parameters: PathParameters): Promise<void> {
  const { staged, project } = requireStage(context, parameters);
  const published = await context.registry.npm.staging.approve(staged.id, project, actorOf(context));
  sendJson(context.res, 200, {
    ...present(staged),
    ok: true,
    stageId: staged.id,
    status: 'approved',
    publishedAt: new Date(published.publishedAt).toISOString(),
  });
}

async function rejectStage(context: NpmContext, parameters: PathParameters): Promise<void> {
  const { staged } = requireStage(context, parameters);
  await context.registry.npm.staging.reject(staged.id, actorOf(context));
  sendJson(context.res, 200, { ...present(staged), ok: true, stageId: staged.id, status: 'rejected' });
}

/** A staged version below the prefix, for somebody who may publish to its project; for others there is none. */
function requireStage(context: NpmContext, { id = '' }: PathParameters): { staged: StagedVersion; project: Project } {
  requireUser(context);
  if (!uuid.test(id)) {
    throw new GatehouseError('invalid_request', 'The id of a staged version is a UUID; "npm stage list" shows them.');
  }
  if (context.prefix.kind === 'project') requireProject(context, 'packages.publish');
  const staged = context.registry.npm.staging.find(id.toLowerCase());
  const project = staged && readableProjects(context).find((candidate) => candidate.id === staged.projectId);
  if (!staged || !project || !isAllowed(context, project, 'packages.publish')) throw noSuchStage(id);
  return { staged, project };
}

const noStore = { 'Cache-Control': 'no-store' };

function present({ id, prepared, createdAt, actorName }: StagedVersion) {
  return {
    id,
    packageName: prepared.name,
    version: prepared.version.version,
    tag: prepared.tags[0] ?? 'latest',
    tags: prepared.tags,
    status: 'pending',
    createdAt: new Date(createdAt).toISOString(),
    actor: actorName,
    actorType: 'user',
    shasum: prepared.version.shasum,
    integrity: prepared.version.integrity,
  };
}

function wholeNumber(text: string | null, fallback: number, largest: number): number {
  return text !== null && /^\d{1,9}$/.test(text) ? Math.min(Number(text), largest) : fallback;
}
