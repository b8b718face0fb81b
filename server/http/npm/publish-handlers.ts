import { GatehouseError } from '../../contract/errors.ts';
import { asObject, hasAttachments, readDeprecationRequest } from '../../packages/upload-document.ts';
import type { Manifest } from '../../packages/upload-document.ts';
import { receiveUpload } from '../../packages/receive-upload.ts';
import { requireValidName, shorten } from '../../packages/package-name.ts';
import type { PackageRow } from '../../packages/package-store.ts';
import { readBody } from '../request-body.ts';
import { headerOf, sendJson } from '../respond.ts';
import { actorOf, isAllowed, requirePackageFor, requireProject, requireUser } from './npm-context.ts';
import type { NpmContext } from './npm-context.ts';
import type { NpmRoute } from './npm-route.ts';
import { editPeople, isPeopleDocument } from './people-documents.ts';
import { versionInFileName } from './read-handlers.ts';

type PackumentContext = NpmContext<Extract<NpmRoute, { kind: 'packument' }>>;
type TarballContext = NpmContext<Extract<NpmRoute, { kind: 'tarball' }>>;

/**
 * PUT of a package: a publish if a tarball comes along, else a change of what is published (deprecation, stars, owners), which npm
 * sends to the same address (api/npm.md 3, api/clients.md 3).
 */
export async function putPackument(context: PackumentContext): Promise<void> {
  requireUser(context);
  if (context.route.revision !== null) {
    await putRevision(context);
    return;
  }
  const { registry, req, res, route, prefix } = context;
  const project = prefix.kind === 'project' ? requireProject(context, 'packages.read') : undefined;
  const mayPublish = project !== undefined && isAllowed(context, project, 'packages.publish');
  const announced = /^(?:un)?deprecate$/.test(headerOf(req, 'npm-command') ?? '');
  // Who may not publish may still send a star; but no tarball is even begun.
  const upload = await receiveUpload(
    readBody(req),
    registry.packages.tarballs,
    mayPublish ? registry.packages.limits : { ...registry.packages.limits, attachments: 0 },
    () => {
      if (!project) throw notHere();
      requireProject(context, 'packages.publish');
    },
  );
  try {
    const document = asObject(upload.document);
    if (hasAttachments(document) || upload.attachments.size > 0) {
      if (!project) throw notHere();
      requireProject(context, 'packages.publish');
      const published = await registry.packages.publisher.publish(upload, document, {
        project,
        nameInUrl: route.name,
        actor: actorOf(context),
      });
      const at = new Date(published.publishedAt).toISOString();
      sendJson(res, 200, {
        ok: true,
        success: true,
        id: published.id,
        project_id: published.projectId,
        name: published.name,
        version: published.version,
        package_type: 'npm',
        status: 'default',
        creator_id: published.creatorId,
        created_at: at,
        updated_at: at,
        last_downloaded_at: null,
        status_message: null,
      });
      return;
    }
    if (isPeopleDocument(document)) {
      await editPeople(context, document);
      return;
    }
    await deprecate(context, document, announced);
  } finally {
    await upload.discard();
  }
}

async function deprecate(context: PackumentContext, document: Manifest, announced: boolean): Promise<void> {
  // A document that is neither would be refused whoever sends it; roles are told first.
  if (context.prefix.kind === 'project') requireProject(context, 'packages.publish');
  const request = readDeprecationRequest(document, context.route.name, announced);
  requireValidName(request.name);
  const row = requirePackageFor(context, request.name, 'packages.deprecate');
  await context.registry.packages.editor.deprecate(row.id, request.messages, actorOf(context));
  sendJson(context.res, 200, { ok: true, success: true });
}

/**
 * PUT of `<name>/-rev/<rev>`: npm sends the packument without the versions that are to go, or new maintainers (api/clients.md 3, 5).
 */
async function putRevision(context: PackumentContext): Promise<void> {
  const { registry, req, res, route } = context;
  const upload = await receiveUpload(
    readBody(req),
    registry.packages.tarballs,
    { ...registry.packages.limits, attachments: 0 },
    () => {
      throw new GatehouseError('invalid_request', 'A change of a revision holds no tarball. Publish without "-rev".');
    },
  );
  const document = asObject(upload.document);
  if (isPeopleDocument(document)) {
    await editPeople(context, document);
    return;
  }
  const row = requirePackageFor(context, route.name, 'packages.unpublish');
  requireCurrent(context, row);
  const kept = document['versions'];
  if (typeof kept !== 'object' || kept === null || Array.isArray(kept)) {
    throw new GatehouseError('invalid_request', 'versions is missing: it must hold the versions that stay.');
  }
  const actor = actorOf(context);
  for (const version of registry.packages.store.versionNames(row.id)) {
    if (!Object.hasOwn(kept, version)) await registry.packages.editor.unpublishVersion(row.id, version, actor);
  }
  const after = registry.packages.store.getPackage(row.id);
  sendJson(res, 200, { ok: true, id: route.name, rev: after ? registry.packages.library.revisionOf([after]) : null });
}

/** DELETE of `<name>/-rev/<rev>` or of `<name>`: the whole package goes. */
export async function deletePackument(context: PackumentContext): Promise<void> {
  const row = requirePackageFor(context, context.route.name, 'packages.unpublish');
  if (context.route.revision !== null) requireCurrent(context, row);
  await context.registry.packages.editor.unpublishPackage(row.id, actorOf(context));
  sendJson(context.res, 200, { ok: true });
}

/**
 * DELETE of `<tarball>/-rev/<rev>`, npm's last step of an unpublish. The version went with the document before it, so there is
 * nothing left to do; a client that sends only this call gets the version removed.
 */
export async function deleteTarball(context: TarballContext): Promise<void> {
  const { registry, route } = context;
  const row = requirePackageFor(context, route.name, 'packages.unpublish');
  const version = versionInFileName(route.name, route.file);
  const present = version === undefined ? undefined : registry.packages.store.findVersion(row.id, version);
  if (present) {
    if (route.revision !== null) requireCurrent(context, row);
    await registry.packages.editor.unpublishVersion(row.id, present.version, actorOf(context));
  }
  sendJson(context.res, 200, { ok: true });
}

/** @throws GatehouseError `conflict` if the revision in the path is not the current one (api/npm.md, "Settled"). */
function requireCurrent(context: NpmContext<Extract<NpmRoute, { revision: string | null }>>, row: PackageRow): void {
  const current = context.registry.packages.library.revisionOf([row]);
  if (context.route.revision === current) return;
  throw new GatehouseError(
    'conflict',
    `${row.name} was changed since you read it (revision ${shorten(context.route.revision ?? '')}, now ${current}). Run the command again.`,
  );
}

/** @returns the error for a publish at a prefix that is no project's. */
export function notHere(): GatehouseError {
  return new GatehouseError(
    'method_not_allowed',
    'Packages are published to a project. Set the registry of the package to …/api/v4/projects/<id>/packages/npm/, for instance with "publishConfig" in package.json.',
  );
}
