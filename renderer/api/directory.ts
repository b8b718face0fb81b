import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { ContainerReference } from '../../server/contract/directory.ts';
import { call } from './call.ts';
import { keys } from './keys.ts';

/** Every project of the registry. */
export function useProjects() {
  return useQuery({ queryKey: keys.directory.projects, queryFn: () => call('directory.projects', {}) });
}

/** Users and groups that a rule of the project may name, narrowed by a search. */
export function useRuleCandidates(projectId: number, search: string) {
  return useQuery({
    queryKey: keys.directory.ruleCandidates(projectId, search),
    queryFn: () => call('directory.ruleCandidates', { projectId, search }),
    placeholderData: keepPreviousData,
  });
}

/** Everyone who has an account, blocked ones included. */
export function useUsers() {
  return useQuery({ queryKey: keys.directory.users, queryFn: () => call('directory.users', {}) });
}

/** Every group, with its counts. */
export function useGroups() {
  return useQuery({ queryKey: keys.directory.groups, queryFn: () => call('directory.groups', {}) });
}

/** Every project, with its details. */
export function useProjectDetails() {
  return useQuery({ queryKey: keys.directory.projectDetails, queryFn: () => call('directory.projectDetails', {}) });
}

/** Everyone with access to a project or group, direct members first. */
export function useMembers(container: ContainerReference) {
  return useQuery({
    queryKey: keys.directory.members(container.kind, container.id),
    queryFn: () => call('directory.members', { container }),
  });
}

/** The groups that were invited to a project or group. */
export function useShares(container: ContainerReference) {
  return useQuery({
    queryKey: keys.directory.shares(container.kind, container.id),
    queryFn: () => call('directory.shares', { container }),
  });
}

/** The access tokens of everyone, without their secrets. */
export function useTokens() {
  return useQuery({ queryKey: keys.directory.tokens, queryFn: () => call('directory.tokens', {}) });
}
