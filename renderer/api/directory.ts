import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { call } from './call.ts';
import { keys } from './keys.ts';

/** Every project of the registry. */
export function useProjects() {
  return useQuery({ queryKey: keys.directory.projects, queryFn: () => call('directory.projects', {}) });
}

/** Users and groups that a rule of the project may name, narrowed by what was typed so far. */
export function useRuleCandidates(projectId: number, search: string) {
  return useQuery({
    queryKey: keys.directory.ruleCandidates(projectId, search),
    queryFn: () => call('directory.ruleCandidates', { projectId, search }),
    placeholderData: keepPreviousData,
  });
}
