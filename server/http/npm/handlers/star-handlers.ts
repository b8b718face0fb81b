import { z } from 'zod';
import { GatehouseError } from '../../../contract/errors.ts';
import { readJson } from '../../request-body.ts';
import { queryOf, sendJson } from '../../respond.ts';
import { requirePackageFor, requireUser } from '../npm-context.ts';
import type { NpmContext } from '../npm-context.ts';
import { readableProjectIds } from '../npm-scope.ts';
import { requireUserId } from './people-documents.ts';
import type { PathParameters, Service } from '../service-paths.ts';

/** Stars in pnpm's dialect, and the lists of them; npm's own way is a document (people-documents.ts; api/clients.md 5). */
export const starServices: readonly Service[] = [
  { path: 'user/v1/star', methods: { GET: listOwn, PUT: starNamed(true), DELETE: starNamed(false) } },
  { path: 'user/package/*name/star', methods: { PUT: starInPath(true), DELETE: starInPath(false) } },
  { path: 'user/:user/stars', methods: { GET: listOf } },
  { path: 'util/user/:user/stars', methods: { GET: listOf } },
  { path: '_view/starredByUser', methods: { GET: listForNpm } },
  { path: '_view/starredByPackage', methods: { GET: listUsersForNpm } },
];

const starDocument = z.object({ name: z.string().optional(), package: z.string().optional() });

function starNamed(starred: boolean) {
  return async (context: NpmContext): Promise<void> => {
    requireUser(context);
    const document = starDocument.safeParse(await readJson(context.req)).data;
    const name = document?.package ?? document?.name;
    if (name === undefined) throw new GatehouseError('invalid_request', '"package" is missing from the body.');
    await setStar(context, name, starred);
  };
}

function starInPath(starred: boolean) {
  return (context: NpmContext, { name = '' }: PathParameters): Promise<void> => setStar(context, name, starred);
}

async function setStar(context: NpmContext, name: string, starred: boolean): Promise<void> {
  const { user } = requireUser(context);
  const row = requirePackageFor(context, name, 'packages.read');
  await context.registry.packages.editor.setStar(row.id, user.id, starred);
  sendJson(context.res, 200, { ok: true });
}

function listOwn(context: NpmContext): void {
  const { user } = requireUser(context);
  sendJson(context.res, 200, starredBy(context, user.id));
}

function listOf(context: NpmContext, { user = '' }: PathParameters): void {
  requireUser(context);
  sendJson(context.res, 200, starredBy(context, requireUserId(context, user)));
}

/** GET `/-/_view/starredByUser?key="name"`, a view of CouchDB that npm still asks. */
function listForNpm(context: NpmContext): void {
  requireUser(context);
  const username = keyOf(context);
  const names = starredBy(context, requireUserId(context, username));
  sendView(
    context,
    names.map((name) => ({ id: name, key: username, value: name })),
  );
}

function listUsersForNpm(context: NpmContext): void {
  const name = keyOf(context);
  const row = requirePackageFor(context, name, 'packages.read');
  const users = context.registry.packages.store.starrersOf(row.id);
  sendView(
    context,
    users.map((username) => ({ id: name, key: name, value: username })),
  );
}

function sendView(context: NpmContext, rows: readonly unknown[]): void {
  sendJson(context.res, 200, { total_rows: rows.length, offset: 0, rows });
}

/** The key in the query, which is JSON. */
function keyOf({ req }: NpmContext): string {
  const raw = queryOf(req).get('key') ?? '';
  try {
    const value: unknown = JSON.parse(raw);
    if (typeof value === 'string' && value !== '') return value;
  } catch {
    // Told below.
  }
  throw new GatehouseError('invalid_request', 'key is missing from the query, or is no JSON string such as "name".');
}

function starredBy(context: NpmContext, userId: number): string[] {
  const rows = context.registry.packages.catalog.namesStarredBy(userId, readableProjectIds(context));
  return [...new Set(rows.map(({ name }) => name))];
}
