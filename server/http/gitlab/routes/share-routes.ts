import { GatehouseError } from '../../../contract/errors.ts';
import { memberLevels } from '../../../contract/constants.ts';
import { authorizeGroup, authorizeProject, levelInGroup, levelInProject } from '../../../accounts/access/authorize.ts';
import { mayGrant } from '../../../accounts/access/policy.ts';
import type { Container } from '../../../accounts/records.ts';
import { created, type GitlabCall, type Handler, noContent, pathParameter, read } from '../call.ts';
import { date, type Declaration, type Field, integer, numberChoice } from '../params.ts';
import { detailedGroup, projectShare, seesGroup } from '../present-directory.ts';
import type { Route } from '../route-table.ts';

const share = {
  group_id: integer({ required: true }),
  group_access: requiredLevel(),
  expires_at: date(),
} satisfies Declaration;

/** A required role out of those that a membership can have. */
function requiredLevel(): Field<(typeof memberLevels)[number] | null | undefined> {
  const level = numberChoice(memberLevels);
  return {
    read(parameters, name, prefix, complaints) {
      if (Object.hasOwn(parameters, name)) return level.read(parameters, name, prefix, complaints);
      // GitLab complains twice here, as nothing is none of the roles either.
      complaints.push(`${name} is missing`, `${name} does not have a valid value`);
      return undefined;
    },
  };
}

function projectOf(call: GitlabCall): { container: Container; level: number } {
  const { directory } = call.services.directory;
  const project = authorizeProject(directory, call.principal, pathParameter(call, 'id'), 'project.share');
  return { container: { kind: 'project', id: project.id }, level: levelInProject(directory, call.principal, project) };
}

function groupOf(call: GitlabCall): { container: Container; level: number } {
  const { directory } = call.services.directory;
  const group = authorizeGroup(directory, call.principal, pathParameter(call, 'id'), 'group.share');
  return { container: { kind: 'group', id: group.id }, level: levelInGroup(directory, call.principal, group) };
}

async function addShare(call: GitlabCall, place: { readonly container: Container; readonly level: number }) {
  const input = read(call, share);
  const { directory, shares } = call.services.directory;
  const group = directory.findGroup(input.group_id ?? 0);
  if (!group || !seesGroup(call, group)) {
    throw new GatehouseError('group_not_found', undefined, { gitlabMessage: 'Not Found' });
  }
  const level = input.group_access ?? 10;
  if (!mayGrant(call.principal, place.level, level)) throw new GatehouseError('forbidden');
  return shares.add(call.actor, place.container, { groupId: group.id, level, expiresOn: input.expires_at ?? null });
}

async function removeShare(call: GitlabCall, { container }: { readonly container: Container }) {
  const { group_id: groupId } = read(call, { group_id: integer({ required: true }) });
  await call.services.directory.shares.remove(call.actor, container, groupId ?? 0);
  return noContent;
}

/** Invitations of groups to projects and to other groups (api/environments.md 6.5, 6.2). */
export const shareRoutes: Route<Handler>[] = [
  {
    method: 'POST',
    pattern: '/projects/:id/share',
    handler: async (call) => created(projectShare(await addShare(call, projectOf(call)))),
  },
  {
    method: 'DELETE',
    pattern: '/projects/:id/share/:group_id',
    handler: (call) => removeShare(call, projectOf(call)),
  },
  {
    method: 'POST',
    pattern: '/groups/:id/share',
    handler: async (call) => {
      const { container } = await addShare(call, groupOf(call));
      return created(detailedGroup(call, call.services.directory.groups.get(container.id)));
    },
  },
  {
    method: 'DELETE',
    pattern: '/groups/:id/share/:group_id',
    handler: (call) => removeShare(call, groupOf(call)),
  },
];
