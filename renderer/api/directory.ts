import { keepPreviousData, useQueryClient } from '@tanstack/react-query';
import type { ContainerReference } from '../../server/contract/directory.ts';
import type { ProtectionOwner } from '../../server/contract/environments.ts';
import { call, useServerQuery } from './call.ts';

/** Reads the lists of the screen again, so that what was just added is known on its page. */
export function useDirectoryRefresh(): () => Promise<void> {
  const client = useQueryClient();
  return () => client.invalidateQueries({ queryKey: ['directory'] });
}

/** Every project of the registry. */
export const useProjects = () => useServerQuery('directory.projects', {});

/** Users and groups that a rule of the project or group may name, narrowed by a search. */
export const useRuleCandidates = (owner: ProtectionOwner, search: string) =>
  useServerQuery('directory.ruleCandidates', { ...owner, search }, { placeholderData: keepPreviousData });

/** Everyone who has an account, blocked ones included. */
export const useUsers = () => useServerQuery('directory.users', {});

/** When a token was used last comes with no event. */
const lastUses = { refetchOnMount: 'always', refetchInterval: 5000 } as const;

/** `useUsers`, with their last activity as it is now. */
export const useUsersWithActivity = () => useServerQuery('directory.users', {}, lastUses);

/** Every group, with its counts. */
export const useGroups = () => useServerQuery('directory.groups', {});

/** Every project, with its details. */
export const useProjectDetails = () => useServerQuery('directory.projectDetails', {});

/** Everyone with access to a project or group, direct members first. */
export const useMembers = ({ kind, id }: ContainerReference) =>
  useServerQuery('directory.members', { container: { kind, id } });

/** Reads the members of a project or group once; none if that fails. */
export const membersOnce = ({ kind, id }: ContainerReference) =>
  call('directory.members', { container: { kind, id } }).catch(() => []);

/** Every group and project that a user reaches. */
export const useUserAccess = (userId: number) => useServerQuery('directory.userAccess', { userId });

/** The groups that were invited to a project or group. */
export const useShares = ({ kind, id }: ContainerReference) =>
  useServerQuery('directory.shares', { container: { kind, id } });

/** The access tokens of everyone, without their secrets. */
export const useTokens = () => useServerQuery('directory.tokens', {}, lastUses);
