import {
  asObject,
  type DeprecationRequest,
  hasAttachments,
  type Manifest,
  readDeprecationRequest,
} from '../../../registry/publish/upload-document.ts';
import { noSuchVersion } from '../../../registry/package-changes.ts';
import type { Deprecated } from '../../../registry/package-editor.ts';
import { requireValidName } from '../../../registry/package-name.ts';
import type { PackageRow } from '../../../registry/package-store.ts';
import { findMergedVersion } from '../../../registry/packuments/merged-view.ts';
import type { PublishedVersion } from '../../../registry/publish/publish.ts';
import type { AnswerOf } from '../../openapi/schemas.ts';
import { noteVersion } from '../../request-log.ts';
import { type Answer, headerOf, ok } from '../../respond.ts';
import type { PathParameters } from '../../route-matcher.ts';
import {
  actorOf,
  changedPackage,
  type NpmCall,
  requireAccessTo,
  requirePackageFor,
  requirePackages,
  requireProject,
  requireUser,
} from '../npm-call.ts';
import { receiveDocument, requirePublishing, uploadLimitsFor } from '../receive-document.ts';
import { answerWaiting } from './release-handlers.ts';
import { editPeople, isPeopleDocument } from './people-documents.ts';
import { putRevision } from './unpublish-handlers.ts';

/**
 * PUT of a package: a publish if a tarball comes along, else a change of what is published (deprecation, stars, owners), which npm
 * sends to the same address.
 */
export async function putPackument(call: NpmCall, parameters: PathParameters): Promise<Answer> {
  requireUser(call, 'write_packages');
  if (parameters['revision'] !== undefined) return putRevision(call, parameters);
  const { name = '' } = parameters;
  const limits = uploadLimitsFor(call, name);
  const upload = await receiveDocument(call, limits);
  try {
    const document = asObject(upload.document);
    if (hasAttachments(document) || upload.attachments.size > 0) {
      const target = { project: requirePublishing(call), nameInUrl: name, actor: actorOf(call) };
      const result = await call.registry.releaseRequests.publish(upload, document, target);
      noteVersion(call.req, 'published' in result ? result.published.version : result.waiting.version);
      return 'published' in result ? answerPublished(result.published) : answerWaiting(call, result.waiting);
    }
    return isPeopleDocument(document) ? await editPeople(call, name, document) : await deprecate(call, name, document);
  } finally {
    await upload.discard();
  }
}

function answerPublished(published: PublishedVersion): Answer {
  const at = new Date(published.publishedAt).toISOString();
  const answer: AnswerOf<'PublishedVersion'> = {
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
  };
  return ok(answer, differenceNotice(published.differences));
}

/** The header by which npm says that document and tarball differ, if they do. */
export function differenceNotice(differences: readonly string[]): Record<string, string> {
  if (differences.length === 0) return {};
  const notice = `The package.json inside the tarball has other ${differences.join(', ')} than the publish document; a script that changes package.json while it is packed does this. Installers take some from the one and some from the other.`;
  return { 'npm-notice': notice };
}

async function deprecate(call: NpmCall, name: string, document: Manifest): Promise<Answer> {
  // Roles are checked before the document is judged.
  if (call.prefix.kind === 'project') requireProject(call, 'packages.publish');
  const announced = /^(?:un)?deprecate$/.test(headerOf(call.req, 'npm-command') ?? '');
  const request = readDeprecationRequest(document, name, announced);
  requireValidName(request.name);
  const done: Deprecated[] = [];
  for (const [row, messages] of messagesByPackage(call, request))
    done.push(await call.registry.packages.editor.deprecate(row.id, messages, actorOf(call), { skipsMissing: true }));
  const missing = done.flatMap((each) => each.missing);
  const [first] = missing;
  if (first === undefined) return ok({ ok: true, success: true });
  // npm sends every version that it has read, with the messages of earlier deprecations: one that is gone stops nothing else.
  if (done.every(({ changed }) => changed.length === 0)) throw noSuchVersion(request.name, first);
  const others = missing.length > 1 ? ` and ${missing.length - 1} more` : '';
  const isVisible = /^[\x20-\x7e]{1,80}$/.test(first);
  const notice = `${request.name} has no version ${first}${others}; nothing was changed there.`;
  return ok({ ok: true, success: true }, isVisible ? { 'npm-notice': notice } : {});
}

/**
 * The messages by the package that they change; the caller may deprecate each. At a group or instance prefix clients send back what
 * several projects hold together: what they leave as it is needs no right there.
 */
function messagesByPackage(
  call: NpmCall,
  { name, messages }: DeprecationRequest,
): Map<PackageRow, Map<string, string>> {
  const { store } = call.registry.packages;
  const rows = requirePackages(call, name);
  if (rows.length === 1) return new Map([[requirePackageFor(call, name, 'packages.deprecate'), new Map(messages)]]);
  const changed = [...messages].filter(
    ([version, message]) => (findMergedVersion(store, rows, version)?.deprecated ?? '') !== message,
  );
  const byPackage = Map.groupBy(changed, ([version]) => changedPackage(store, rows, { version }));
  for (const row of byPackage.keys()) requireAccessTo(call, row, 'packages.deprecate');
  return new Map([...byPackage].map(([row, entries]) => [row, new Map(entries)]));
}
