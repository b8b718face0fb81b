import { useMutation, useQueries, useQueryClient, type UseQueryResult } from '@tanstack/react-query';
import { useCallback, useMemo } from 'react';
import { compareNames } from '../../server/contract/compare-names.ts';
import type {
  ApprovalRuleInput,
  DeployRuleInput,
  ProtectedEnvironment,
  ProtectionOwner,
} from '../../server/contract/environments.ts';
import { call, keyOf, useServerQuery } from './call.ts';

/** The protected environments of a project, or the tiers that a group protects, by name. */
export const useProtectedEnvironments = (owner: ProtectionOwner) => useServerQuery('environments.listProtected', owner);

interface Owner {
  id: number;
  fullPath: string;
}

/** The environments that these projects and groups protect, each with its owner; those that are not read yet are left out. */
export function useAllProtectedEnvironments(
  projects: readonly Owner[],
  groups: readonly Owner[],
): { isPending: boolean; list: { owner: ProtectionOwner; fullPath: string; name: string }[] } {
  const owners = useMemo(
    () => [
      ...projects.map(({ id, fullPath }) => ({ owner: { projectId: id }, fullPath })),
      ...groups.map(({ id, fullPath }) => ({ owner: { groupId: id }, fullPath })),
    ],
    [projects, groups],
  );
  const combine = useCallback(
    (results: UseQueryResult<ProtectedEnvironment[]>[]) => ({
      isPending: results.some(({ isPending }) => isPending),
      list: owners.flatMap((each, index) => (results[index]?.data ?? []).map(({ name }) => ({ ...each, name }))),
    }),
    [owners],
  );
  return useQueries({
    queries: owners.map(({ owner }) => ({
      queryKey: keyOf('environments.listProtected', owner),
      queryFn: () => call('environments.listProtected', owner),
    })),
    combine,
  });
}

/** What the groups above a project protect; not read without a project. */
export const useInheritedProtections = (projectId: number | undefined) =>
  useServerQuery('environments.listInherited', { projectId: projectId ?? 0 }, { enabled: projectId !== undefined });

/** Every environment and protected name of the project with everyone who may deploy to it. */
export const useDeployAccess = (projectId: number) => useServerQuery('environments.access', { projectId });

/** Whether one person may deploy to one environment, and why. Read only while `enabled`. */
export const useDeployDecision = (projectId: number, name: string, userId: number, enabled: boolean) =>
  useServerQuery('environments.decide', { projectId, name, userId }, { enabled });

/** The protected environments where a user may deploy or approve. */
export const useEnvironmentTargets = (userId: number) => useServerQuery('environments.targetsOf', { userId });

interface RuleInput {
  name: string;
  rules: DeployRuleInput[];
  approvalRules: ApprovalRuleInput[];
}

/** Protects an environment. The form shows errors. */
export function useProtect(owner: ProtectionOwner) {
  const keep = useKeepEnvironment(owner);
  return useMutation({
    meta: { handlesErrors: true },
    mutationFn: (input: RuleInput) => call('environments.protect', { ...owner, ...input }),
    onSuccess: keep,
  });
}

/** Replaces the rules of an environment, unless it changed since `updatedAt` (then CallFailed with code `conflict`). */
export function useReplaceRules(owner: ProtectionOwner) {
  const keep = useKeepEnvironment(owner);
  return useMutation({
    meta: { handlesErrors: true },
    mutationFn: (input: RuleInput & { updatedAt: number }) => call('environments.replaceRules', { ...owner, ...input }),
    onSuccess: keep,
  });
}

/** Unprotects an environment: any Developer may deploy to it then. */
export function useUnprotect(owner: ProtectionOwner) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (name: string) => call('environments.unprotect', { ...owner, name }),
    onSuccess: (_nothing, name) => {
      client.setQueryData<ProtectedEnvironment[]>(keyOf('environments.listProtected', owner), (list) =>
        list?.filter((environment) => environment.name !== name),
      );
    },
  });
}

function useKeepEnvironment(owner: ProtectionOwner) {
  const client = useQueryClient();
  const queryKey = keyOf('environments.listProtected', owner);
  return (saved: ProtectedEnvironment) => {
    client.setQueryData<ProtectedEnvironment[]>(queryKey, (list = []) =>
      [...list.filter((environment) => environment.name !== saved.name), saved].sort((a, b) =>
        compareNames(a.name, b.name),
      ),
    );
  };
}
