import type { ServerResponse } from 'node:http';
import { GatehouseError } from '../../../contract/errors.ts';
import { asObject, hasAttachments, readDeprecationRequest } from '../../../registry/publish/upload-document.ts';
import type { Manifest } from '../../../registry/publish/upload-document.ts';
import { receiveUpload } from '../../../registry/publish/receive-upload.ts';
import { requireValidName } from '../../../registry/package-name.ts';
import type { PackageRow } from '../../../registry/package-store.ts';
import type { PublishedVersion } from '../../../registry/publish/publish.ts';
import { readBody } from '../../request-body.ts';
import { headerOf, sendJson } from '../../respond.ts';
import {
  actorOf,
  isAllowed,
  readablePackages,
  requirePackageFor,
  requireProject,
  requireUser,
} from '../npm-context.ts';
import type { NpmContext } from '../npm-context.ts';
import type { NpmRoute } from '../npm-route.ts';
import { editPeople, isPeopleDocument } from './people-documents.ts';
import { inAnotherProject, putRevision } from './unpublish-handlers.ts';

type PackumentContext = NpmContext<Extract<NpmRoute, { kind: 'packument' }>>;

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
  const { tarballs, limits, publisher } = registry.packages;
  const target = project && { project, nameInUrl: route.name, actor: actorOf(context) };
  const upload = await receiveUpload(readBody(req), {
    tarballs,
    limits: mayPublish ? limits : { ...limits, attachments: 0 },
    onTooMany: () => {
      if (!project) throw notHere();
      requireProject(context, 'packages.publish');
    },
  });
  try {
    const document = asObject(upload.document);
    if (hasAttachments(document) || upload.attachments.size > 0) {
      if (!target) throw notHere();
      requireProject(context, 'packages.publish');
      answerPublished(res, await publisher.publish(upload, document, target));
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

function answerPublished(res: ServerResponse, published: PublishedVersion): void {
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
}

async function deprecate(context: PackumentContext, document: Manifest, announced: boolean): Promise<void> {
  // A document that is neither would be refused whoever sends it; roles are told first.
  if (context.prefix.kind === 'project') requireProject(context, 'packages.publish');
  const request = readDeprecationRequest(document, context.route.name, announced);
  requireValidName(request.name);
  const row = requirePackageFor(context, request.name, 'packages.deprecate');
  const messages = messagesFor(context, row, request.messages);
  const unknown = await context.registry.packages.editor.deprecate(row.id, messages, actorOf(context));
  const [first] = unknown;
  const others = unknown.length > 1 ? ` and ${unknown.length - 1} more` : '';
  const isVisible = first !== undefined && /^[\x20-\x7e]{1,80}$/.test(first);
  const notice = isVisible ? `${row.name} has no version ${first}${others}; nothing was changed there.` : undefined;
  sendJson(context.res, 200, { ok: true, success: true }, notice === undefined ? {} : { 'npm-notice': notice });
}

/**
 * The messages that are about versions of this package. At a group or instance prefix clients send back what several projects hold
 * together: what they leave as it is there is passed over, what they would change there is refused.
 */
function messagesFor(
  context: PackumentContext,
  row: PackageRow,
  messages: ReadonlyMap<string, string>,
): ReadonlyMap<string, string> {
  if (context.prefix.kind === 'project') return messages;
  const { store } = context.registry.packages;
  const others = readablePackages(context, row.name).filter(({ id }) => id !== row.id);
  const own = new Map<string, string>();
  for (const [version, message] of messages) {
    const elsewhere = others.find(({ id }) => store.findVersion(id, version) !== undefined);
    if (!elsewhere || store.findVersion(row.id, version)) own.set(version, message);
    else if ((store.findVersion(elsewhere.id, version)?.deprecated ?? '') !== message) {
      throw inAnotherProject(context, elsewhere, version, 'Deprecate');
    }
  }
  return own;
}

/** @returns the error for a publish at a prefix that is no project's. */
export function notHere(): GatehouseError {
  return new GatehouseError(
    'method_not_allowed',
    'Packages are published to a project. Set the registry of the package to …/api/v4/projects/<id>/packages/npm/, for instance with "publishConfig" in package.json.',
  );
}
