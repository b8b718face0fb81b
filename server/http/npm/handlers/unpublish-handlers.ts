import { GatehouseError } from '../../../contract/errors.ts';
import { receiveUpload } from '../../../registry/publish/receive-upload.ts';
import { asObject } from '../../../registry/publish/upload-document.ts';
import { shorten } from '../../../lib/printable.ts';
import type { PackageRow } from '../../../registry/package-store.ts';
import { readBody } from '../../request-body.ts';
import { sendJson } from '../../respond.ts';
import { actorOf, readablePackages, requirePackageFor } from '../npm-context.ts';
import type { NpmContext } from '../npm-context.ts';
import type { NpmRoute } from '../npm-route.ts';
import { editPeople, isPeopleDocument } from './people-documents.ts';
import { versionInFileName } from './read-handlers.ts';

type PackumentContext = NpmContext<Extract<NpmRoute, { kind: 'packument' }>>;
type TarballContext = NpmContext<Extract<NpmRoute, { kind: 'tarball' }>>;

/**
 * PUT of `<name>/-rev/<rev>`: npm sends the packument without the versions that are to go, or new maintainers (api/clients.md 3, 5).
 */
export async function putRevision(context: PackumentContext): Promise<void> {
  const { registry, req, res, route } = context;
  const { editor, library, limits, store, tarballs } = registry.packages;
  const upload = await receiveUpload(readBody(req), {
    tarballs,
    limits: { ...limits, attachments: 0 },
    onTooMany: () => {
      throw new GatehouseError('invalid_request', 'A change of a revision holds no tarball. Publish without "-rev".');
    },
  });
  const document = asObject(upload.document);
  if (isPeopleDocument(document)) {
    requireCurrent(context, requirePackageFor(context, route.name, 'packages.read'));
    await editPeople(context, document);
    return;
  }
  const row = requirePackageFor(context, route.name, 'packages.unpublish');
  requireCurrent(context, row);
  const kept = document['versions'];
  if (typeof kept !== 'object' || kept === null || Array.isArray(kept)) {
    throw new GatehouseError('invalid_request', 'versions is missing: it must hold the versions that stay.');
  }
  const gone = store.versionNames(row.id).filter((version) => !Object.hasOwn(kept, version));
  if (gone.length === 0) refuseGoneElsewhere(context, row, kept);
  await editor.unpublishVersions(row.id, gone, actorOf(context));
  const after = store.getPackage(row.id);
  sendJson(res, 200, { ok: true, id: route.name, rev: after ? library.revisionOf([after]) : null });
}

/** DELETE of `<name>/-rev/<rev>` or of `<name>`: the whole package goes. */
export async function deletePackument(context: PackumentContext): Promise<void> {
  const row = requirePackageFor(context, context.route.name, 'packages.unpublish');
  if (context.route.revision !== null) requireCurrent(context, row);
  await context.registry.packages.editor.unpublishPackage(row.id, actorOf(context));
  const [left] = context.prefix.kind === 'project' ? [] : readablePackages(context, row.name);
  const notice = left && `${row.name} is still in the project ${pathOf(context, left)}.`;
  sendJson(context.res, 200, { ok: true }, notice === undefined ? {} : { 'npm-notice': notice });
}

/**
 * DELETE of `<tarball>/-rev/<rev>`, npm's last step of an unpublish. The version went with the document before it, so there is
 * nothing left to do; a client that sends only this call gets the version removed.
 */
export async function deleteTarball(context: TarballContext): Promise<void> {
  const { registry, route } = context;
  const { editor, store } = registry.packages;
  const row = requirePackageFor(context, route.name, 'packages.unpublish');
  const version = versionInFileName(route.name, route.file);
  if (version !== undefined && context.prefix.kind !== 'project' && readablePackages(context, route.name).length > 1) {
    // After the step before, the newest publish may be another project's, whose version of the same number nobody meant. npm takes
    // "not found" for done.
    const still = readablePackages(context, route.name).find(({ id }) => store.findVersion(id, version) !== undefined);
    if (still) throw inAnotherProject(context, still, version, 'Unpublish', 'package_not_found');
  }
  const present = version === undefined ? undefined : store.findVersion(row.id, version);
  if (present) {
    if (route.revision !== null) requireCurrent(context, row);
    await editor.unpublishVersions(row.id, [present.version], actorOf(context));
  }
  sendJson(context.res, 200, { ok: true });
}

/** @returns the error for a change of a version that is in another project than the one that this prefix acts on. */
export function inAnotherProject(
  context: NpmContext,
  { projectId, name }: PackageRow,
  version: string,
  what: 'Deprecate' | 'Unpublish',
  code: 'invalid_request' | 'package_not_found' = 'invalid_request',
): GatehouseError {
  return new GatehouseError(
    code,
    `${name}@${version} is in the project ${pathOf(context, { projectId })}, not in the one of the newest publish. ${what} it there: --registry=${context.origin}/api/v4/projects/${projectId}/packages/npm/`,
    code === 'package_not_found' ? { gitlabMessage: 'Package not found' } : {},
  );
}

/** Says so where the versions that were left out are another project's, rather than to claim that they are gone. */
function refuseGoneElsewhere(context: PackumentContext, row: PackageRow, kept: object): void {
  if (context.prefix.kind === 'project') return;
  for (const other of readablePackages(context, row.name)) {
    const gone = context.registry.packages.store
      .versionNames(other.id)
      .find((version) => !Object.hasOwn(kept, version));
    if (gone !== undefined) throw inAnotherProject(context, other, gone, 'Unpublish');
  }
}

/**
 * The revision in the path is the one that the client read: of this package, or of all that the prefix shows under its name.
 * @throws GatehouseError `conflict` if it is not the current one (api/npm.md, "Settled").
 */
function requireCurrent(context: NpmContext<Extract<NpmRoute, { revision: string | null }>>, row: PackageRow): void {
  const { library } = context.registry.packages;
  const shown = context.prefix.kind === 'project' ? [row] : readablePackages(context, row.name);
  const current = library.revisionOf(shown);
  if (context.route.revision === current) return;
  throw new GatehouseError(
    'conflict',
    `${row.name} was changed since you read it (revision ${shorten(context.route.revision ?? '')}, now ${current}). Run the command again.`,
  );
}

function pathOf(context: NpmContext, { projectId }: Pick<PackageRow, 'projectId'>): string {
  return context.registry.directory.findProject(projectId)?.fullPath ?? String(projectId);
}
