import { GatehouseError } from '../../contract/errors.ts';
import { authorizeInstance } from '../../directory/authorize.ts';
import type { NamespaceRecord } from '../../directory/records.ts';
import { type GitlabCall, type Handler, ok, pageOf, pathParameter, read } from './call.ts';
import { matchesText } from './list-filters.ts';
import { text } from './params.ts';
import { seesGroup } from './present-directory.ts';
import type { Route } from './route-table.ts';

/** Groups and personal namespaces that the caller may put a project into, or at least see. */
function visible(call: GitlabCall): NamespaceRecord[] {
  const { user } = authorizeInstance(call.principal, 'read');
  return [...call.services.directory.directory.snapshot.namespaces.values()].filter((namespace) =>
    namespace.kind === 'group' ? seesGroup(call, namespace) : user.isAdmin || namespace.ownerId === user.id,
  );
}

function present(call: GitlabCall, namespace: NamespaceRecord) {
  return {
    id: namespace.id,
    name: namespace.name,
    path: namespace.path,
    kind: namespace.kind,
    full_path: namespace.fullPath,
    parent_id: namespace.parentId,
    avatar_url: null,
    web_url: `${call.origin}/${namespace.kind === 'group' ? 'groups/' : ''}${namespace.fullPath}`,
  };
}

/** What projects live in: clients look up `namespace_id` here before they make a project. */
export const namespaceRoutes: Route<Handler>[] = [
  {
    method: 'GET',
    pattern: '/namespaces',
    handler: (call) => {
      const namespaces = visible(call);
      const { search } = read(call, { search: text() });
      const found = namespaces.filter((namespace) => matchesText(search, namespace.name, namespace.fullPath));
      return pageOf(call, found, (namespace) => present(call, namespace));
    },
  },
  {
    method: 'GET',
    pattern: '/namespaces/:id',
    handler: (call) => {
      const reference = pathParameter(call, 'id').toLowerCase();
      const found = visible(call).find(
        (namespace) => String(namespace.id) === reference || namespace.fullPath.toLowerCase() === reference,
      );
      if (!found) {
        throw new GatehouseError('not_found', undefined, { gitlabMessage: '404 Namespace Not Found' });
      }
      return ok(present(call, found));
    },
  },
];
