import { z } from 'zod';
import { GatehouseError } from '../../../contract/errors.ts';
import { type Answer, ok, queryOf } from '../../respond.ts';
import { readJson } from '../../request-body.ts';
import type { PathParameters } from '../../route-matcher.ts';
import {
  hiddenPackages,
  type NpmCall,
  type NpmHandler,
  type NpmRoute,
  readableProjectIds,
  requirePackageFor,
  requireUser,
  requireUserNamed,
} from '../npm-call.ts';

const starDocument = z.object({ name: z.string().optional(), package: z.string().optional() });

const starring = { access: 'packages.star', answers: { 200: 'Ok' } } as const;
const starsOfUser = {
  handle: listOfUser,
  access: 'read_packages',
  answers: { 200: 'Names' },
} as const;

/** Stars in pnpm's dialect, and the lists of them; npm sets one with a document (people-documents.ts). */
export const starRoutes: readonly NpmRoute[] = [
  {
    pattern: '/-/user/v1/star',
    GET: {
      handle: (call) => ok(starredBy(call, requireUser(call, 'read_packages').user.id)),
      summary: 'List one’s starred packages',
      access: 'read_packages',
      answers: { 200: 'Names' },
    },
    PUT: { ...starring, handle: setStar(true), summary: 'Star the package that the body names', body: starDocument },
    DELETE: {
      ...starring,
      handle: setStar(false),
      summary: 'Unstar the package that the body names',
      body: starDocument,
    },
  },
  {
    pattern: '/-/user/package/*name/star',
    PUT: { ...starring, handle: setStar(true), summary: 'Star a package' },
    DELETE: { ...starring, handle: setStar(false), summary: 'Unstar a package' },
  },
  { pattern: '/-/user/:user/stars', GET: { ...starsOfUser, summary: 'List the packages that a user has starred' } },
  {
    pattern: '/-/util/user/:user/stars',
    GET: { ...starsOfUser, summary: 'List the packages that a user has starred, at its other address' },
  },
  {
    pattern: '/-/_view/starredByUser',
    GET: {
      handle: viewByUser,
      summary: 'View the packages that a user has starred',
      access: 'read_packages',
      query: { key: { type: 'string', description: 'The name of the user as a JSON string.' } },
      answers: { 200: 'View' },
    },
  },
  {
    pattern: '/-/_view/starredByPackage',
    GET: {
      handle: viewByPackage,
      summary: 'View the users who have starred a package',
      access: 'packages.read',
      query: { key: { type: 'string', description: 'The name of the package as a JSON string.' } },
      answers: { 200: 'View' },
    },
  },
];

/** The package is named by the path or by the body. */
function setStar(starred: boolean): NpmHandler {
  return async (call, { name: nameInPath }) => {
    const { user } = requireUser(call, 'write_packages');
    const document = nameInPath === undefined ? starDocument.safeParse(await readJson(call.req)).data : undefined;
    const name = nameInPath ?? document?.package ?? document?.name;
    if (name === undefined) throw new GatehouseError('invalid_request', '"package" is missing from the body.');
    const row = requirePackageFor(call, name, 'packages.star');
    await call.registry.packages.editor.setStar(row.id, user.id, starred);
    return ok({ ok: true });
  };
}

function listOfUser(call: NpmCall, { user = '' }: PathParameters): Answer {
  requireUser(call, 'read_packages');
  return ok(starredBy(call, requireUserNamed(call, user).id));
}

/** GET `/-/_view/starredByUser?key="name"`, a view of CouchDB that npm still reads. */
function viewByUser(call: NpmCall): Answer {
  requireUser(call, 'read_packages');
  const username = keyOf(call);
  const names = starredBy(call, requireUserNamed(call, username).id);
  return view(names.map((name) => ({ id: name, key: username, value: name })));
}

function viewByPackage(call: NpmCall): Answer {
  requireUser(call, 'read_packages');
  const name = keyOf(call);
  const row = requirePackageFor(call, name, 'packages.read');
  const users = call.registry.packages.store.starrersOf(row.id);
  return view(users.map((username) => ({ id: name, key: name, value: username })));
}

function view(rows: readonly unknown[]): Answer {
  return ok({ total_rows: rows.length, offset: 0, rows });
}

/** The key in the query, which is JSON. */
function keyOf({ req }: NpmCall): string {
  try {
    const value: unknown = JSON.parse(queryOf(req).get('key') ?? '');
    if (typeof value === 'string' && value !== '') return value;
  } catch {
    // Falls through to the error below.
  }
  throw new GatehouseError('invalid_request', 'key is missing from the query, or is no JSON string such as "name".');
}

function starredBy(call: NpmCall, userId: number): string[] {
  const projectIds = readableProjectIds(call);
  const hidden = hiddenPackages(call, projectIds);
  const rows = call.registry.packages.catalog.namesStarredBy(userId, projectIds);
  return [...new Set(rows.filter(({ packageId }) => !hidden.has(packageId)).map(({ name }) => name))];
}
