import type { z } from 'zod';
import { GatehouseError } from '../../../contract/errors.ts';
import type { Manifest } from '../../../registry/publish/upload-document.ts';
import { npmRequests } from '../../openapi/npm-requests.ts';
import { type Answer, ok } from '../../respond.ts';
import { actorOf, type NpmCall, requirePackageFor, requireUser, requireUserNamed } from '../npm-call.ts';

/*
 * npm changes stars and owners by sending a document with nothing but `users` or `maintainers` in it to the address of the packument.
 */

/** Whether a document is about stars or owners and not about versions. */
export function isPeopleDocument(document: Manifest): boolean {
  return (
    document['versions'] === undefined && (document['users'] !== undefined || document['maintainers'] !== undefined)
  );
}

/** Carries out a stars or owners document. @throws GatehouseError `invalid_request`, `user_not_found` and those of authorisation. */
export async function editPeople(call: NpmCall, name: string, document: Manifest): Promise<Answer> {
  const { editor, library, store } = call.registry.packages;
  if (document['users'] !== undefined) {
    const { user } = requireUser(call, 'write_packages');
    const { users } = parse(npmRequests.Stars, document, 'users');
    const row = requirePackageFor(call, name, 'packages.star');
    // A user sets only the own star: the others in the document are what the client has read.
    await editor.setStar(row.id, user.id, Object.hasOwn(users, user.username) && users[user.username] !== false);
  } else {
    const { maintainers } = parse(npmRequests.Maintainers, document, 'maintainers');
    const row = requirePackageFor(call, name, 'packages.unpublish');
    const userIds = maintainers.map((maintainer) => requireUserNamed(call, maintainer.name).id);
    await editor.setMaintainers(row.id, userIds, actorOf(call));
  }
  const after = requirePackageFor(call, name, 'packages.read');
  return ok({ ok: true, id: name, rev: library.revisionOf([store.getPackage(after.id) ?? after]) });
}

function parse<T>(schema: z.ZodType<T>, document: Manifest, field: string): T {
  const parsed = schema.safeParse(document);
  if (parsed.success) return parsed.data;
  throw new GatehouseError('invalid_request', `${field} is invalid.`);
}
