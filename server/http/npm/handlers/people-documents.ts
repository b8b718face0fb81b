import { z } from 'zod';
import { GatehouseError } from '../../../contract/errors.ts';
import { shorten } from '../../../lib/printable.ts';
import type { Manifest } from '../../../registry/publish/upload-document.ts';
import { sendJson } from '../../respond.ts';
import { actorOf, requirePackageFor, requireUser } from '../npm-context.ts';
import type { NpmContext } from '../npm-context.ts';
import type { NpmRoute } from '../npm-route.ts';

/*
 * npm changes stars and owners by sending a document with nothing but `users` or `maintainers` in it to the address of the packument
 * (api/clients.md 5).
 */

const starsDocument = z.object({ users: z.record(z.string(), z.unknown()) });
const ownersDocument = z.object({ maintainers: z.array(z.object({ name: z.string().max(255) })).max(1000) });

/** Whether a document is about stars or owners and not about versions. */
export function isPeopleDocument(document: Manifest): boolean {
  return (
    document['versions'] === undefined && (document['users'] !== undefined || document['maintainers'] !== undefined)
  );
}

/** Carries out a stars or owners document. @throws GatehouseError `invalid_request`, `user_not_found` and those of authorisation. */
export async function editPeople(
  context: NpmContext<Extract<NpmRoute, { kind: 'packument' }>>,
  document: Manifest,
): Promise<void> {
  const { registry, route, res } = context;
  const { editor, library, store } = registry.packages;
  if (document['users'] !== undefined) {
    const { user } = requireUser(context);
    const { users } = parse(starsDocument, document, 'users');
    const row = requirePackageFor(context, route.name, 'packages.read');
    // Everybody stars for himself: what the document says of others is what he read, not what he wants.
    await editor.setStar(row.id, user.id, Object.hasOwn(users, user.username) && users[user.username] !== false);
  } else {
    const { maintainers } = parse(ownersDocument, document, 'maintainers');
    const row = requirePackageFor(context, route.name, 'packages.unpublish');
    await editor.setMaintainers(
      row.id,
      maintainers.map(({ name }) => requireUserId(context, name)),
      actorOf(context),
    );
  }
  const after = requirePackageFor(context, route.name, 'packages.read');
  sendJson(res, 200, { ok: true, id: route.name, rev: library.revisionOf([store.getPackage(after.id) ?? after]) });
}

/** @throws GatehouseError `user_not_found`. */
export function requireUserId(context: NpmContext, username: string): number {
  const wanted = username.toLowerCase();
  const user = [...context.registry.directory.index.users.values()].find(
    (candidate) => candidate.username.toLowerCase() === wanted,
  );
  if (user) return user.id;
  throw new GatehouseError('user_not_found', `User not found. There is no user "${shorten(username)}" here.`, {
    gitlabMessage: 'User Not Found',
  });
}

function parse<T>(schema: z.ZodType<T>, document: Manifest, field: string): T {
  const parsed = schema.safeParse(document);
  if (parsed.success) return parsed.data;
  throw new GatehouseError('invalid_request', `${field} is invalid.`);
}
