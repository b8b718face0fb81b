import { GatehouseError } from '../../../contract/errors.ts';
import { shorten } from '../../../lib/printable.ts';
import { type Answer, headerOf, noContent, ok, queryOf } from '../../respond.ts';
import { isYarnClassic } from '../../negotiate.ts';
import { readSmallBody } from '../../request-body.ts';
import type { PathParameters } from '../../route-matcher.ts';
import { answerWaiting } from './release-handlers.ts';
import { actorOf, type NpmCall, requirePackageFor, requireUser } from '../npm-call.ts';

const maximumBody = 4096;

/** PUT of a dist-tag. The version is a JSON string as npm sends it, or a `version` query or form field. */
export async function putDistTag(call: NpmCall, { name = '', tag = '' }: PathParameters): Promise<Answer> {
  requireUser(call, 'write_packages');
  const version = await readVersion(call);
  refuseBlank({ 'Package Name': name, Version: version, Tag: tag });
  const row = requirePackageFor(call, name, 'packages.set_tag', { version });
  const waiting = await call.registry.releaseRequests.moveTag(row.id, tag, version, actorOf(call));
  if (waiting) return answerWaiting(call, waiting);
  // Yarn 1 reports a failure for every answer without `ok`, although the tag is set.
  return isYarnClassic(call.req) ? ok({ ok: true }) : noContent;
}

/** DELETE of a dist-tag. */
export async function deleteDistTag(call: NpmCall, { name = '', tag = '' }: PathParameters): Promise<Answer> {
  requireUser(call, 'write_packages');
  refuseBlank({ 'Package Name': name, Tag: tag });
  const missing = () => {
    const isProject = call.prefix.kind === 'project';
    const gitlabMessage = isProject ? 'Package tag not found' : 'Project not found';
    const text = `${gitlabMessage}. There is no package ${shorten(name)} here.`;
    return new GatehouseError(isProject ? 'tag_not_found' : 'project_not_found', text, { gitlabMessage });
  };
  const row = requirePackageFor(call, name, 'packages.remove_tag', { tag, missing });
  await call.registry.packages.editor.removeTag(row.id, tag, actorOf(call));
  return noContent;
}

/** GitLab names the first one that is blank, before it looks at anything else. */
export function refuseBlank(given: Readonly<Record<string, string>>): void {
  const missing = Object.keys(given).find((name) => given[name]?.trim() === '');
  if (missing === undefined) return;
  throw new GatehouseError('invalid_request', `"${missing}" not given`, {
    gitlabMessage: `400 Bad request - "${missing}" not given`,
  });
}

async function readVersion({ req }: NpmCall): Promise<string> {
  const inQuery = queryOf(req).get('version');
  const complaint = 'The body of a dist-tag holds one version, which is never that long.';
  const limits = { size: maximumBody, complaint };
  const text = await readSmallBody(req, limits, (body) => body.toString('utf8').trim());
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
    // Not JSON: the caller knows what else it may be.
  }
  return undefined;
}
