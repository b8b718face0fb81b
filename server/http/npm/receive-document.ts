import type { Project } from '../../accounts/access/principal.ts';
import { GatehouseError } from '../../contract/errors.ts';
import { auditLimits } from '../../registry/advisories/audit-report.ts';
import { type ReceivedUpload, receiveUpload } from '../../registry/publish/receive-upload.ts';
import { largestUpload, smallDocumentLimits, type UploadLimits } from '../../registry/publish/upload-limits.ts';
import { readBody, smallBodyTime } from '../request-body.ts';
import { holderOf } from '../request-log.ts';
import { isAllowed, type NpmCall, readablePackages, requirePackageFor, requireProject } from './npm-call.ts';

/** The project that a call publishes to, if the caller may. @throws GatehouseError as `authorizeProject`, or `method_not_allowed`. */
export function requirePublishing(call: NpmCall): Project {
  if (call.prefix.kind === 'project') return requireProject(call, 'packages.publish');
  throw new GatehouseError(
    'method_not_allowed',
    'Packages are published to a project. Set the registry of the package to …/api/v4/projects/<id>/packages/npm/, for instance with "publishConfig" in package.json.',
  );
}

/**
 * How much the caller may send to the address of a package, decided before anything of it is read: a tarball who may publish, a whole
 * packument who may change its versions, and a short document who may only star it.
 * @throws GatehouseError as the policy, for callers who may do none of these.
 */
export function uploadLimitsFor(call: NpmCall, name: string): UploadLimits {
  const { limits } = call.registry.packages;
  const project = call.prefix.kind === 'project' ? requireProject(call, 'packages.read') : undefined;
  if (project && isAllowed(call, project, 'packages.publish')) return limits;
  const readable = readablePackages(call, name);
  if (readable.length === 0) requirePublishing(call);
  requirePackageFor(call, name, 'packages.star');
  const { directory } = call.registry;
  const mayChange = readable.some(({ projectId }) =>
    isAllowed(call, directory.findProject(projectId), 'packages.deprecate'),
  );
  return { ...limits, attachments: 0, document: mayChange ? limits.document : smallDocumentLimits };
}

/** Receives the body of a call as a document. @throws GatehouseError as `receiveUpload`, and as `requirePublishing` for a tarball. */
export function receiveDocument(call: NpmCall, limits: UploadLimits): Promise<ReceivedUpload> {
  const isShort = limits.document.size === smallDocumentLimits.size;
  const size = largestUpload(limits);
  // A long one is meant as a publish.
  if (isShort && Number(call.req.headers['content-length'] ?? 0) > size) requirePublishing(call);
  const complaint = `The upload is larger than ${size} bytes, which is the most that you may send here.`;
  return receiveUpload(readBody(call.req, { size, complaint, ...(isShort ? { time: smallBodyTime } : {}) }), {
    tarballs: call.registry.packages.tarballs,
    limits,
    holder: holderOf(call.req),
    onTooMany: () => void requirePublishing(call),
  });
}

/** The body of an audit. @throws GatehouseError as `receiveUpload`. */
export async function receiveAudit(call: NpmCall): Promise<unknown> {
  const { size } = auditLimits;
  const complaint = `An audit may have at most ${size} bytes. Audit the projects of a workspace one by one.`;
  const { tarballs, limits } = call.registry.packages;
  const body = readBody(call.req, { size, complaint, time: smallBodyTime });
  const { document } = await receiveUpload(body, {
    tarballs,
    limits: { ...limits, attachments: 0, document: auditLimits },
    holder: holderOf(call.req),
  });
  return document;
}
