import { GatehouseError } from '../../../contract/errors.ts';
import { authorizeInstance } from '../../../accounts/access/authorize.ts';
import type { NamespaceRecord } from '../../../accounts/records.ts';
import { ok } from '../../respond.ts';
import { type GitlabCall, type GitlabRoute, type Handler, pageOf, read } from '../call.ts';
import { matchesText } from '../list-filters.ts';
import { text } from '../params.ts';
import { presentNamespace, seesGroup } from '../present-directory.ts';

/** Groups and personal namespaces that the caller may put a project into, or at least see. */
function visible(call: GitlabCall): NamespaceRecord[] {
  const { user } = authorizeInstance(call.principal, 'read');
  return [...call.registry.directory.index.namespaces.values()].filter((namespace) =>
    namespace.kind === 'group' ? seesGroup(call, namespace) : user.isAdmin || namespace.ownerId === user.id,
  );
}

const listNamespaces: Handler = (call) => {
  const namespaces = visible(call);
  const { search } = read(call, { search: text() });
  const found = namespaces.filter((namespace) => matchesText(search, namespace.name, namespace.fullPath));
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

/** Clients look up `namespace_id` here before they create a project. */
export const namespaceRoutes: readonly GitlabRoute[] = [
  { pattern: '/namespaces', GET: listNamespaces },
  { pattern: '/namespaces/:id', GET: getNamespace },
];
