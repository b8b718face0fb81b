import { GatehouseError } from '../../../contract/errors.ts';
import { shorten } from '../../../lib/printable.ts';
import { readBody } from '../../request-body.ts';
import { headerOf, queryOf, sendEmpty, sendJson } from '../../respond.ts';
import { isYarnClassic } from '../client-kind.ts';
import { actorOf, requirePackageFor, requireUser } from '../npm-context.ts';
import type { NpmContext } from '../npm-context.ts';
import type { NpmRoute } from '../npm-route.ts';

type TagContext = NpmContext<Extract<NpmRoute, { kind: 'dist-tag' }>>;

const maximumBody = 4096;

/** PUT of a dist-tag. The version is a JSON string as npm sends it, or a `version` query or form field (api/npm.md, part one). */
export async function putDistTag(context: TagContext): Promise<void> {
  requireUser(context);
  const version = await readVersion(context);
  requireGiven(context, version);
  const row = requirePackageFor(context, context.route.name, 'packages.set_tag');
  await context.registry.packages.editor.setTag(row.id, context.route.tag, version, actorOf(context));
  // Yarn 1 reports a failure for every answer without `ok`, although the tag is set.
  if (isYarnClassic(context.req)) sendJson(context.res, 200, { ok: true });
  else sendEmpty(context.res, 204);
}

/** DELETE of a dist-tag (api/npm.md 5.3). */
export async function deleteDistTag(context: TagContext): Promise<void> {
  requireUser(context);
  requireGiven(context, 'unused');
  const { name, tag } = context.route;
  const row = requirePackageFor(context, name, 'packages.remove_tag', () => {
    const text = context.prefix.kind === 'project' ? 'Package tag not found' : 'Project not found';
    return new GatehouseError(
      context.prefix.kind === 'project' ? 'tag_not_found' : 'project_not_found',
      `${text}. There is no package ${shorten(name)} here.`,
      { gitlabMessage: text },
    );
  });
  await context.registry.packages.editor.removeTag(row.id, tag, actorOf(context));
  sendEmpty(context.res, 204);
}

/** GitLab names the first of the three that is blank, before it looks at anything else (api/npm.md 2.5). */
function requireGiven(context: TagContext, version: string): void {
  const missing =
    context.route.name.trim() === ''
      ? 'Package Name'
      : version.trim() === ''
        ? 'Version'
        : context.route.tag.trim() === ''
          ? 'Tag'
          : undefined;
  if (missing === undefined) return;
  throw new GatehouseError('invalid_request', `"${missing}" not given`, {
    gitlabMessage: `400 Bad request - "${missing}" not given`,
  });
}

async function readVersion(context: TagContext): Promise<string> {
  const { req } = context;
  const inQuery = queryOf(req).get('version');
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of readBody(req)) {
    size += chunk.length;
    if (size > maximumBody)
      throw new GatehouseError(
        'payload_too_large',
        'The body of a dist-tag holds one version, which is never that long.',
      );
    chunks.push(chunk);
  }
  const text = Buffer.concat(chunks).toString('utf8').trim();
  if (text === '') return inQuery ?? '';
  const type = (headerOf(req, 'content-type') ?? 'application/json').split(';')[0]?.trim().toLowerCase();
  if (type === 'application/x-www-form-urlencoded') {
    const form = new URLSearchParams(text);
    // curl -d '"1.0.0"' says that it sends a form, too.
    return form.get('version') ?? versionInJson(text) ?? inQuery ?? '';
  }
  if (type !== 'application/json' && type !== 'text/plain') {
    throw new GatehouseError(
      'unsupported_media_type',
      `The provided content-type '${shorten(type ?? '', 60)}' is not supported.`,
    );
  }
  const version = versionInJson(text);
  if (version !== undefined) return version;
  if (type === 'text/plain') return text;
  throw new GatehouseError('invalid_request', 'The body is not a version as a JSON string, for instance "1.2.3".', {
    gitlabMessage: '400 Bad request - "Version" not given',
  });
}

function versionInJson(text: string): string | undefined {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'string') return value;
    if (value === null) return '';
    if (typeof value === 'object' && 'version' in value && typeof value.version === 'string') return value.version;
  } catch {
    // Not JSON: told by the caller, who knows what else it may be.
  }
  return undefined;
}
