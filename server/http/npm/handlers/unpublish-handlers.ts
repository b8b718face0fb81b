import { GatehouseError } from '../../../contract/errors.ts';
import { asObject } from '../../../registry/publish/upload-document.ts';
import { versionInFileName } from '../../../registry/package-name.ts';
import type { PackageRow, PackageStore } from '../../../registry/package-store.ts';
import { shorten } from '../../../lib/printable.ts';
import { type Answer, ok } from '../../respond.ts';
import type { PathParameters } from '../../route-matcher.ts';
import {
  actorOf,
  changedPackage,
  type NpmCall,
  readablePackages,
  requireAccessTo,
  requirePackageFor,
  requirePackages,
} from '../npm-call.ts';
import { receiveDocument, uploadLimitsFor } from '../receive-document.ts';
import { editPeople, isPeopleDocument } from './people-documents.ts';

/** PUT of `<name>/-rev/<rev>`: npm sends the packument without the versions that are to go, or new maintainers. */
export async function putRevision(call: NpmCall, { name = '', revision = '' }: PathParameters): Promise<Answer> {
  const { library, store, unpublisher } = call.registry.packages;
  requirePackageFor(call, name, 'packages.star');
  const upload = await receiveDocument(call, { ...uploadLimitsFor(call, name), attachments: 0 });
  const document = asObject(upload.document);
  if (isPeopleDocument(document)) {
    requireCurrent(call, requirePackageFor(call, name, 'packages.read'), revision);
    return editPeople(call, name, document);
  }
  const inProject = call.prefix.kind === 'project';
  const newest = requirePackageFor(call, name, inProject ? 'packages.unpublish' : 'packages.read');
  const shown: [PackageRow, ...PackageRow[]] = inProject ? [newest] : requirePackages(call, name);
  const kept = document['versions'];
  if (typeof kept !== 'object' || kept === null || Array.isArray(kept)) {
    throw new GatehouseError('invalid_request', 'versions is missing: it must hold the versions that stay.');
  }
  // What is shown of a version is its first publish; one of another project behind it was not named.
  const gone = goneVersions(store, shown, kept);
  for (const row of gone.size === 0 ? [newest] : gone.keys()) requireAccessTo(call, row, 'packages.unpublish');
  requireCurrent(call, newest, revision);
  for (const [row, versions] of gone) await unpublisher.unpublishVersions(row.id, versions, actorOf(call));
  const after = shown.flatMap(({ id }) => store.getPackage(id) ?? []);
  return ok({ ok: true, id: name, rev: after.length > 0 ? library.revisionOf(after) : null });
}

/** DELETE of `<name>/-rev/<rev>` or of `<name>`: removes the whole package. */
export async function deletePackument(call: NpmCall, { name = '', revision }: PathParameters): Promise<Answer> {
  const row = requirePackageFor(call, name, 'packages.unpublish');
  requireCurrent(call, row, revision);
  await call.registry.packages.unpublisher.unpublishPackage(row.id, actorOf(call));
  const [left] = call.prefix.kind === 'project' ? [] : readablePackages(call, row.name);
  return ok({ ok: true }, left && { 'npm-notice': `${row.name} is still in the project ${pathOf(call, left)}.` });
}

/**
 * DELETE of `<tarball>/-rev/<rev>`, npm's last step of an unpublish. The version went with the document before it, so there is
 * nothing left to do; a client that sends only this call gets the version removed.
 */
export async function deleteTarball(
  call: NpmCall,
  { name = '', file = '', revision }: PathParameters,
): Promise<Answer> {
  const { unpublisher, store } = call.registry.packages;
  const version = versionInFileName(name, file);
  const row = requirePackageFor(call, name, 'packages.unpublish', version === undefined ? {} : { version });
  if (version !== undefined && call.prefix.kind !== 'project' && readablePackages(call, name).length > 1) {
    // After the step before, this is what another project has of the version, which nobody named. npm accepts "not found".
    if (store.findVersion(row.id, version)) throw leftInProject(call, row, version);
  }
  if (version !== undefined && store.findVersion(row.id, version)) {
    requireCurrent(call, row, revision);
    await unpublisher.unpublishVersions(row.id, [version], actorOf(call));
  }
  return ok({ ok: true });
}

function leftInProject(call: NpmCall, { projectId, name }: PackageRow, version: string): GatehouseError {
  const address = `${call.origin}/api/v4/projects/${projectId}/packages/npm/`;
  const text = `${name}@${version} is in the project ${pathOf(call, { projectId })}. Unpublish it there: --registry=${address}`;
  return new GatehouseError('package_not_found', text, { gitlabMessage: 'Package not found' });
}

/** The versions that packages of one name show and a document leaves out, by package. */
function goneVersions(
  store: PackageStore,
  shown: readonly [PackageRow, ...PackageRow[]],
  kept: object,
): ReadonlyMap<PackageRow, readonly string[]> {
  const gone = new Map<PackageRow, string[]>();
  for (const row of shown) {
    const left = store.versionNames(row.id).filter((version) => !Object.hasOwn(kept, version));
    const own = left.filter((version) => shown.length === 1 || changedPackage(store, shown, { version }) === row);
    if (own.length > 0) gone.set(row, own);
  }
  return gone;
}

/**
 * A revision in the path, which is of the package or of all that the prefix shows under its name, must be the current one.
 * @throws GatehouseError `conflict`.
 */
function requireCurrent(call: NpmCall, row: PackageRow, revision: string | undefined): void {
  const shown = call.prefix.kind === 'project' ? [row] : readablePackages(call, row.name);
  const current = call.registry.packages.library.revisionOf(shown);
  if (revision === undefined || revision === current) return;
  throw new GatehouseError(
    'conflict',
    `${row.name} was changed since you read it (revision ${shorten(revision)}, now ${current}). Run the command again.`,
  );
}

function pathOf(call: NpmCall, { projectId }: Pick<PackageRow, 'projectId'>): string {
  return call.registry.directory.findProject(projectId)?.fullPath ?? String(projectId);
}
