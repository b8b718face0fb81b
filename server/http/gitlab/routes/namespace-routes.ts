import { authorizeInstance } from '../../../accounts/access/authorize.ts';
import type { NamespaceRecord } from '../../../accounts/records.ts';
import { GatehouseError } from '../../../contract/errors.ts';
import { ok } from '../../respond.ts';
import { seesGroup } from '../../visibility.ts';
import { type GitlabCall, type GitlabRoute, type Handler, pageOf, read } from '../call.ts';
import { matchesText } from '../lists.ts';
import { type Declaration, integer, text } from '../params.ts';
import { presentNamespace } from '../present-directory.ts';

const search = { search: text() } satisfies Declaration;
const place = { parent_id: integer() } satisfies Declaration;

/** Groups and personal namespaces that the caller may put a project into, or at least see. */
function visible(call: GitlabCall): NamespaceRecord[] {
  const { user } = authorizeInstance(call.principal, 'read');
  return [...call.registry.directory.index.namespaces.values()].filter((namespace) =>
    namespace.kind === 'group' ? seesGroup(call, namespace) : user.isAdmin || namespace.ownerId === user.id,
  );
}

const listNamespaces: Handler = (call) => {
  const namespaces = visible(call);
  const { search: wanted } = read(call, search);
  const found = namespaces.filter((namespace) => matchesText(wanted, namespace.name, namespace.fullPath));
  return pageOf(call, found, (namespace) => presentNamespace(call, namespace));
};

const getNamespace: Handler = (call) => {
  const reference = call.path['id']?.toLowerCase();
  const found = visible(call).find(
    (namespace) => String(namespace.id) === reference || namespace.fullPath.toLowerCase() === reference,
  );
  if (!found) throw new GatehouseError('not_found', undefined, { gitlabMessage: '404 Namespace Not Found' });
  return ok(presentNamespace(call, found));
};

/** Whether a path is taken below a parent, or at the top, and which one like it is not. */
const namespaceExists: Handler = (call) => {
  authorizeInstance(call.principal, 'read');
  const { parent_id: parentId } = read(call, place);
  const { index } = call.registry.directory;
  const parent = typeof parentId === 'number' ? visible(call).find(({ id }) => id === parentId) : undefined;
  if (typeof parentId === 'number' && !parent) return ok({ exists: false, suggests: [] });
  // A path of several segments would say what is in groups that the caller may not see.
  const path = call.path['id'] ?? '';
  if (path.includes('/')) return ok({ exists: false, suggests: [] });
  const isTaken = (wanted: string) => {
    const full = parent ? `${parent.fullPath}/${wanted}` : wanted;
    return index.namespaceByPath(full) !== undefined;
  };
  if (!isTaken(path)) return ok({ exists: false, suggests: [] });
  let number = 1;
  while (isTaken(`${path}${number}`)) number += 1;
  return ok({ exists: true, suggests: [`${path}${number}`] });
};

/** Namespaces, which clients look up before they create a project. */
export const namespaceRoutes: readonly GitlabRoute[] = [
  {
    pattern: '/namespaces',
    GET: {
      handle: listNamespaces,
      summary: 'List namespaces',
      description: 'Groups and personal namespaces that the caller can put a project into, or at least see.',
      access: 'read',
      parameters: search,
      paged: true,
      answers: { 200: 'Namespace[]' },
    },
  },
  {
    pattern: '/namespaces/:id',
    GET: {
      handle: getNamespace,
      summary: 'Show a namespace',
      access: 'read',
      answers: { 200: 'Namespace' },
    },
  },
  {
    pattern: '/namespaces/:id/exists',
    GET: {
      handle: namespaceExists,
      summary: 'Ask whether a path is taken',
      access: 'read',
      parameters: place,
      answers: { 200: 'PathTaken' },
    },
  },
];
