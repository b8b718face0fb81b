import { GatehouseError } from '../../../contract/errors.ts';
import { asObject } from '../../../registry/publish/upload-document.ts';
import { versionInFileName } from '../../../registry/package-name.ts';
import type { PackageRow } from '../../../registry/package-store.ts';
import { shorten } from '../../../lib/printable.ts';
import { type Answer, ok } from '../../respond.ts';
import type { PathParameters } from '../../route-matcher.ts';
import { actorOf, type NpmCall, readablePackages, requirePackageFor } from '../npm-call.ts';
import { receiveDocument, uploadLimitsFor } from '../receive-document.ts';
import { editPeople, isPeopleDocument } from './people-documents.ts';

/** PUT of `<name>/-rev/<rev>`: npm sends the packument without the versions that are to go, or new maintainers (api/clients.md 3, 5). */
export async function putRevision(call: NpmCall, { name = '', revision = '' }: PathParameters): Promise<Answer> {
  const { editor, library, store } = call.registry.packages;
  requirePackageFor(call, name, 'packages.star');
  const upload = await receiveDocument(call, { ...uploadLimitsFor(call, name), attachments: 0 });
  const document = asObject(upload.document);
  if (isPeopleDocument(document)) {
    requireCurrent(call, requirePackageFor(call, name, 'packages.read'), revision);
    return editPeople(call, name, document);
  }
  const row = requirePackageFor(call, name, 'packages.unpublish');
  requireCurrent(call, row, revision);
  const kept = document['versions'];
  if (typeof kept !== 'object' || kept === null || Array.isArray(kept)) {
    throw new GatehouseError('invalid_request', 'versions is missing: it must hold the versions that stay.');
  }
  const gone = store.versionNames(row.id).filter((version) => !Object.hasOwn(kept, version));
  if (gone.length === 0) refuseGoneElsewhere(call, row, kept);
  await editor.unpublishVersions(row.id, gone, actorOf(call));
  const after = store.getPackage(row.id);
  return ok({ ok: true, id: name, rev: after ? library.revisionOf([after]) : null });
}

/** DELETE of `<name>/-rev/<rev>` or of `<name>`: removes the whole package. */
export async function deletePackument(call: NpmCall, { name = '', revision }: PathParameters): Promise<Answer> {
  const row = requirePackageFor(call, name, 'packages.unpublish');
  requireCurrent(call, row, revision);
  await call.registry.packages.editor.unpublishPackage(row.id, actorOf(call));
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
  const { editor, store } = call.registry.packages;
  const row = requirePackageFor(call, name, 'packages.unpublish');
  const version = versionInFileName(name, file);
  if (version !== undefined && call.prefix.kind !== 'project') {
    const readable = readablePackages(call, name);
    // After the step before, the newest publish may be another project's, which must not lose its version. npm accepts "not found".
    const other = readable.length > 1 && readable.find(({ id }) => store.findVersion(id, version) !== undefined);
    if (other) throw inAnotherProject(call, other, version, 'Unpublish', 'package_not_found');
  }
  if (version !== undefined && store.findVersion(row.id, version)) {
    requireCurrent(call, row, revision);
    await editor.unpublishVersions(row.id, [version], actorOf(call));
  }
  return ok({ ok: true });
}

/** @returns the error for a change of a version that is in another project than the one that this prefix acts on. */
export function inAnotherProject(
  call: NpmCall,
  { projectId, name }: PackageRow,
  version: string,
  what: 'Deprecate' | 'Unpublish',
  code: 'invalid_request' | 'package_not_found' = 'invalid_request',
): GatehouseError {
  return new GatehouseError(
    code,
    `${name}@${version} is in the project ${pathOf(call, { projectId })}, not in the one of the newest publish. ${what} it there: --registry=${call.origin}/api/v4/projects/${projectId}/packages/npm/`,
    code === 'package_not_found' ? { gitlabMessage: 'Package not found' } : {},
  );
}

/** Versions that were left out may be another project's: then they are not gone. */
function refuseGoneElsewhere(call: NpmCall, row: PackageRow, kept: object): void {
  if (call.prefix.kind === 'project') return;
  for (const other of readablePackages(call, row.name)) {
    const gone = call.registry.packages.store.versionNames(other.id).find((version) => !Object.hasOwn(kept, version));
    if (gone !== undefined) throw inAnotherProject(call, other, gone, 'Unpublish');
  }
}

/**
 * A revision in the path, which is of the package or of all that the prefix shows under its name, must be the current one.
 * @throws GatehouseError `conflict` (api/npm.md, "Settled").
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
