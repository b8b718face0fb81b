import { GatehouseError } from '../../../contract/errors.ts';
import { memberLevels } from '../../../contract/constants.ts';
import { created, noContent } from '../../respond.ts';
import {
  type GitlabCall,
  type GitlabRoute,
  groupPlace,
  idOf,
  type Place,
  projectPlace,
  read,
  requireMayGrant,
} from '../call.ts';
import { date, type Declaration, type Field, integer, numberChoice } from '../params.ts';
import { detailedGroup, projectShare } from '../present-directory.ts';
import { seesGroup } from '../../visibility.ts';

const share = {
  group_id: integer({ required: true }),
  group_access: requiredLevel(),
  expires_at: date(),
} satisfies Declaration;

/** A required role out of those that a membership can have. */
function requiredLevel(): Field<(typeof memberLevels)[number] | null | undefined> {
  const level = numberChoice(memberLevels);
  return {
    ...level,
    required: true,
    read(parameters, name, prefix, complaints) {
      if (Object.hasOwn(parameters, name)) return level.read(parameters, name, prefix, complaints);
      // GitLab complains twice here, as nothing is none of the roles either.
      complaints.push(`${name} is missing`, `${name} does not have a valid value`);
      return undefined;
    },
  };
}

async function addShare(call: GitlabCall, place: Place) {
  const input = read(call, share);
  const { directory, shares } = call.registry.people;
  const group = directory.findGroup(input.group_id ?? 0);
  if (!group || !seesGroup(call, group)) {
    throw new GatehouseError('group_not_found', undefined, { gitlabMessage: 'Not Found' });
  }
  const level = input.group_access ?? 10;
  requireMayGrant(call, place, level);
  return shares.add(call.actor, place.container, { groupId: group.id, level, expiresOn: input.expires_at ?? null });
}

async function removeShare(call: GitlabCall, place: Place) {
  const { shares } = call.registry.people;
  const groupId = idOf(call, 'group_id');
  const existing = shares.of(place.container).find((one) => one.groupId === groupId);
  if (existing) requireMayGrant(call, place, existing.level);
  await shares.remove(call.actor, place.container, groupId);
  return noContent;
}

/** Invitations of groups to projects and to other groups. */
export const shareRoutes: readonly GitlabRoute[] = [
  {
    pattern: '/projects/:id/share',
    POST: {
      handle: async (call) => created(projectShare(await addShare(call, projectPlace(call, 'project.share')))),
      summary: 'Invite a group to a project',
      access: 'project.share',
      parameters: share,
      answers: { 201: 'ProjectShare' },
      errors: [409],
    },
  },
  {
    pattern: '/projects/:id/share/:group_id',
    DELETE: {
      handle: (call) => removeShare(call, projectPlace(call, 'project.share')),
      summary: 'Take back the invitation of a group to a project',
      access: 'project.share',
      answers: { 204: 'nothing' },
    },
  },
  {
    pattern: '/groups/:id/share',
    POST: {
      handle: async (call) => {
        const { container } = await addShare(call, groupPlace(call, 'group.share'));
        return created(detailedGroup(call, call.registry.people.groups.get(container.id)));
      },
      summary: 'Invite a group to a group',
      access: 'group.share',
      parameters: share,
      answers: { 201: 'GroupDetail' },
      errors: [409],
    },
  },
  {
    pattern: '/groups/:id/share/:group_id',
    DELETE: {
      handle: (call) => removeShare(call, groupPlace(call, 'group.share')),
      summary: 'Take back the invitation of a group to a group',
      access: 'group.share',
      answers: { 204: 'nothing' },
    },
  },
];
