import { GatehouseError } from '../../../contract/errors.ts';
import { memberLevel, type MemberLevel } from '../../../contract/levels.ts';
import type { Grant } from '../../../accounts/access/effective-access.ts';
import { invalidFields } from '../../../accounts/naming.ts';
import type { MemberRecord } from '../../../accounts/records.ts';
import { type Answer, created, noContent, ok } from '../../respond.ts';
import { ParameterError } from '../../errors.ts';
import { requireUnmodified } from '../../preconditions.ts';
import {
  type GitlabCall,
  type GitlabRoute,
  groupPlace,
  idOf,
  pageOf,
  type Place,
  projectPlace,
  read,
  requireMayGrant,
} from '../call.ts';
import { matchesText } from '../lists.ts';
import {
  atLeastOneOf,
  boolean,
  date,
  type Declaration,
  integer,
  integers,
  mutuallyExclusive,
  text,
  texts,
} from '../params.ts';
import { presentMember } from '../present-directory.ts';
import { seesGroup } from '../../visibility.ts';

/** The project or group of a call, if the caller may do this with its members. */
type PlaceOf = (call: GitlabCall, access: 'read' | 'manage') => Place;

const ofProject: PlaceOf = (call, access) => projectPlace(call, `project.${access}_members`);

const ofGroup: PlaceOf = (call, access) => {
  refuseHiddenAncestor(call);
  return groupPlace(call, `group.${access}_members`);
};

/** @throws GatehouseError `forbidden` for a group that the caller may not see but knows of, as a member of something below it. */
function refuseHiddenAncestor(call: GitlabCall): void {
  const { directory, groups } = call.registry.people;
  const { principal } = call;
  const group = directory.findGroup(call.path['id'] ?? '');
  if (!group || principal.kind === 'anonymous' || seesGroup(call, group)) return;
  const { id } = principal.user;
  const belongsBelow =
    groups.descendants(group.id).some((below) => directory.groupLevel(id, below.id) > 0) ||
    directory.projectsOfGroup(group.id, { subgroups: true }).some((below) => directory.projectLevel(id, below.id) > 0);
  if (belongsBelow) throw new GatehouseError('forbidden');
}

/** Members by their own entries, or with those of the groups above and invited groups. */
type Reach = 'direct' | 'effective';

const filters = { query: text(), user_ids: integers() } satisfies Declaration;

/** One user or a list of them; several also as one text with commas. */
function oneOrSeveral(type: 'integer' | 'string') {
  return { ...texts(), schema: { anyOf: [{ type }, { type: 'array', items: { type } }] } };
}

const newMember = {
  access_level: integer({ required: true }),
  user_id: oneOrSeveral('integer'),
  username: oneOrSeveral('string'),
  someone: atLeastOneOf('user_id', 'username'),
  one_way: mutuallyExclusive('user_id', 'username'),
  expires_at: date(),
} satisfies Declaration;

const changes = { access_level: integer({ required: true }), expires_at: date() } satisfies Declaration;

const removal = { skip_subresources: boolean() } satisfies Declaration;

function listMembers(call: GitlabCall, place: Place, reach: Reach): Answer {
  const filter = read(call, filters);
  const { directory } = call.registry.people;
  const all = membersOf(call, place, reach);
  const wanted = filter.user_ids && new Set(filter.user_ids);
  const found = all.filter(({ userId }) => {
    const user = directory.index.users.get(userId);
    if (wanted && !wanted.has(userId)) return false;
    return user && matchesText(filter.query, user.username, user.name);
  });
  return pageOf(call, found, (member) => presentMember(call, member));
}

function getMember(call: GitlabCall, place: Place, reach: Reach): Answer {
  return ok(presentMember(call, findMember(call, membersOf(call, place, reach))));
}

function membersOf(call: GitlabCall, { container }: Place, reach: Reach): readonly (MemberRecord | Grant)[] {
  const { members } = call.registry.people;
  return reach === 'direct' ? members.direct(container) : members.effectiveFor(call.principal, container);
}

function findMember<T extends MemberRecord | Grant>(call: GitlabCall, members: readonly T[]): T {
  const id = idOf(call, 'user_id');
  const member = members.find(({ userId }) => userId === id);
  if (!member) throw new GatehouseError('not_found');
  return member;
}

/** Users that one call adds: each is a change of its own. */
const mostAdded = 100;

async function addMembers(call: GitlabCall, place: Place): Promise<Answer> {
  const input = read(call, newMember);
  const { members, users } = call.registry.people;
  const level = levelOf(call, place, input.access_level);
  const ids = input.username
    ? input.username.map((username) => users.findByUsername(username)?.id ?? 0)
    : (input.user_id ?? []).map((id) => (/^\d{1,15}$/.test(id) ? Number(id) : 0));
  const given = input.username ? 'username' : 'user_id';
  if (ids.length === 0) throw new ParameterError(`${given} is invalid`);
  if (ids.length > mostAdded) throw new ParameterError(`${given} names more than ${mostAdded} users`);
  const add = (userId: number) =>
    members.add(call.actor, place.container, { userId, level, expiresOn: input.expires_at ?? null });
  if (ids.length === 1) return created(presentMember(call, await add(ids[0] ?? 0)));

  const failures: Record<string, string> = {};
  for (const userId of ids) {
    await add(userId).catch((error: unknown) => {
      if (!(error instanceof GatehouseError)) throw error;
      failures[String(userId)] = error.message;
    });
  }
  return created(Object.keys(failures).length === 0 ? { status: 'success' } : { status: 'error', message: failures });
}

async function updateMember(call: GitlabCall, place: Place): Promise<Answer> {
  const input = read(call, changes);
  const { members } = call.registry.people;
  const before = findMember(call, members.direct(place.container));
  requireMayGrant(call, place, strongestLevelOf(call, place, before));
  const after = await members.update(call.actor, place.container, {
    userId: before.userId,
    level: levelOf(call, place, input.access_level),
    expiresOn: input.expires_at === undefined ? before.expiresOn : input.expires_at,
  });
  return ok(presentMember(call, after));
}

async function removeMember(call: GitlabCall, placeOf: PlaceOf): Promise<Answer> {
  const { members } = call.registry.people;
  const { principal } = call;
  const leaves = principal.kind === 'user' && call.path['user_id'] === String(principal.user.id);
  // Leaving needs a token that may write, and nothing else.
  const place = placeOf(call, leaves && mayWrite(call) ? 'read' : 'manage');
  const { skip_subresources: keepBelow } = read(call, removal);
  const member = findMember(call, members.direct(place.container));
  if (!leaves) requireMayGrant(call, place, strongestLevelOf(call, place, member));
  requireUnmodified(call.req, member.createdAt);
  await members.remove(call.actor, place.container, member.userId, { keepBelow: keepBelow ?? false });
  return noContent;
}

/** The role of a member, or the one that is inherited if that is higher. */
function strongestLevelOf({ registry }: GitlabCall, { container }: Place, { userId, level }: MemberRecord): number {
  const { directory } = registry;
  const effective =
    container.kind === 'project'
      ? directory.projectLevel(userId, container.id)
      : directory.groupLevel(userId, container.id);
  return Math.max(level, effective);
}

function mayWrite(call: GitlabCall): boolean {
  const { principal } = call;
  return principal.kind === 'user' && (principal.token === null || principal.token.scopes.includes('api'));
}

function levelOf(call: GitlabCall, place: Place, value: number | null | undefined): MemberLevel {
  const level = memberLevel.safeParse(value);
  if (!level.success) throw invalidFields({ access_level: ['is not included in the list'] });
  requireMayGrant(call, place, level.data);
  return level.data;
}

function routesOf(kind: 'project' | 'group', placeOf: PlaceOf): GitlabRoute[] {
  const collection = `/${kind}s/:id/members`;
  return [
    {
      pattern: collection,
      GET: {
        handle: (call) => listMembers(call, placeOf(call, 'read'), 'direct'),
        summary: `List the members of a ${kind}`,
        description: 'Those with an entry of their own here.',
        access: `${kind}.read_members`,
        parameters: filters,
        paged: true,
        answers: { 200: 'Member[]' },
      },
      POST: {
        handle: (call) => addMembers(call, placeOf(call, 'manage')),
        summary: `Add members to a ${kind}`,
        description: 'Several at once by `user_id` or `username` with commas between; the answer is then a `status`.',
        access: `${kind}.manage_members`,
        parameters: newMember,
        answers: { 201: 'AddedMember' },
        errors: [409],
      },
    },
    {
      pattern: `${collection}/all`,
      GET: {
        handle: (call) => listMembers(call, placeOf(call, 'read'), 'effective'),
        summary: `List everyone with access to a ${kind}`,
        description: 'Members here, of the groups above and of invited groups, each with the highest level.',
        access: `${kind}.read_members`,
        parameters: filters,
        paged: true,
        answers: { 200: 'Member[]' },
      },
    },
    {
      pattern: `${collection}/all/:user_id`,
      GET: {
        handle: (call) => getMember(call, placeOf(call, 'read'), 'effective'),
        summary: `Show the access of a user to a ${kind}`,
        access: `${kind}.read_members`,
        answers: { 200: 'Member' },
      },
    },
    {
      pattern: `${collection}/:user_id`,
      GET: {
        handle: (call) => getMember(call, placeOf(call, 'read'), 'direct'),
        summary: `Show a member of a ${kind}`,
        access: `${kind}.read_members`,
        answers: { 200: 'Member' },
      },
      PUT: {
        handle: (call) => updateMember(call, placeOf(call, 'manage')),
        summary: `Change a member of a ${kind}`,
        access: `${kind}.manage_members`,
        parameters: changes,
        answers: { 200: 'Member' },
        errors: [409],
      },
      DELETE: {
        handle: (call) => removeMember(call, placeOf),
        summary: `Remove a member from a ${kind}`,
        description: 'Members can always remove themselves.',
        access: `${kind}.manage_members`,
        parameters: removal,
        answers: { 204: 'nothing' },
        errors: [409, 412],
      },
    },
  ];
}

/** Members of projects and groups. */
export const memberRoutes: readonly GitlabRoute[] = [...routesOf('project', ofProject), ...routesOf('group', ofGroup)];
