import { useMutation, useQueries, useQueryClient, type UseQueryResult } from '@tanstack/react-query';
import { useCallback } from 'react';
import type { ApprovalRuleInput, DeployRuleInput, ProtectedEnvironment } from '../../server/contract/environments.ts';
import { call, keyOf, useServerQuery } from './call.ts';

/** The protected environments of a project, by name. */
export const useProtectedEnvironments = (projectId: number) =>
  useServerQuery('environments.listProtected', { projectId });

/** The protected environments of these projects, each with its project; those that are not read yet are left out. */
export function useAllProtectedEnvironments<P extends { id: number }>(
  projects: readonly P[],
): { project: P; name: string }[] {
  const combine = useCallback(
    (results: UseQueryResult<ProtectedEnvironment[]>[]) =>
      projects.flatMap((project, index) => (results[index]?.data ?? []).map(({ name }) => ({ project, name }))),
    [projects],
  );
  return useQueries({
    queries: projects.map(({ id }) => ({
      queryKey: keyOf('environments.listProtected', { projectId: id }),
      queryFn: () => call('environments.listProtected', { projectId: id }),
    })),
    combine,
  });
}

/** What the groups above a project protect. */
export const useInheritedProtections = (projectId: number) =>
  useServerQuery('environments.listInherited', { projectId });

/** Every environment and protected name of the project with everyone who may deploy to it. */
export const useDeployAccess = (projectId: number) => useServerQuery('environments.access', { projectId });

/** Whether one person may deploy to one environment, and why. Read only while `enabled`. */
export const useDeployDecision = (projectId: number, name: string, userId: number, enabled: boolean) =>
  useServerQuery('environments.decide', { projectId, name, userId }, { enabled });

interface RuleInput {
  name: string;
  rules: DeployRuleInput[];
  approvalRules: ApprovalRuleInput[];
}

/** Protects an environment. The form shows errors. */
export function useProtect(projectId: number) {
  const keep = useKeepEnvironment(projectId);
  return useMutation({
    meta: { handlesErrors: true },
    mutationFn: (input: RuleInput) => call('environments.protect', { projectId, ...input }),
    onSuccess: keep,
  });
}

/** Replaces the rules of an environment, unless it changed since `updatedAt` (then CallFailed with code `conflict`). */
export function useReplaceRules(projectId: number) {
  const keep = useKeepEnvironment(projectId);
  return useMutation({
    meta: { handlesErrors: true },
    mutationFn: (input: RuleInput & { updatedAt: number }) =>
      call('environments.replaceRules', { projectId, ...input }),
    onSuccess: keep,
  });
}

/** Unprotects an environment: any Developer may deploy to it then. */
export function useUnprotect(projectId: number) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (name: string) => call('environments.unprotect', { projectId, name }),
    onSuccess: (_nothing, name) => {
      client.setQueryData<ProtectedEnvironment[]>(keyOf('environments.listProtected', { projectId }), (list) =>
        list?.filter((environment) => environment.name !== name),
      );
    },
  });
}

function useKeepEnvironment(projectId: number) {
  const client = useQueryClient();
  const queryKey = keyOf('environments.listProtected', { projectId });
  return (saved: ProtectedEnvironment) => {
    client.setQueryData<ProtectedEnvironment[]>(queryKey, (list = []) =>
      [...list.filter((environment) => environment.name !== saved.name), saved].sort((a, b) =>
        a.name < b.name ? -1 : 1,
      ),
    );
  };
}
