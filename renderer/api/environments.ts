import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { DeployRuleInput, ProtectedEnvironment } from '../../server/contract/environments.ts';
import { call } from './call.ts';
import { keys } from './keys.ts';

/** The protected environments of a project, by name. */
export function useProtectedEnvironments(projectId: number) {
  return useQuery({
    queryKey: keys.environments.ofProject(projectId),
    queryFn: () => call('environments.listProtected', { projectId }),
  });
}

/** Every environment and protected name of the project with everyone who may deploy to it. */
export function useDeployAccess(projectId: number) {
  return useQuery({
    queryKey: keys.environments.access(projectId),
    queryFn: () => call('environments.access', { projectId }),
  });
}

/** Whether one person may deploy to one environment, and why. Read only while `enabled`. */
export function useDeployDecision(projectId: number, name: string, userId: number, enabled: boolean) {
  return useQuery({
    queryKey: keys.environments.decision(projectId, name, userId),
    queryFn: () => call('environments.decide', { projectId, name, userId }),
    enabled,
  });
}

/** Protects an environment. The form shows errors. */
export function useProtect(projectId: number) {
  const keep = useKeepEnvironment(projectId);
  return useMutation({
    meta: { handlesErrors: true },
    mutationFn: (input: { name: string; rules: DeployRuleInput[] }) =>
      call('environments.protect', { projectId, ...input }),
    onSuccess: keep,
  });
}

/** Replaces the rules of an environment, unless it changed since `updatedAt` (then CallFailed with code `conflict`). */
export function useReplaceRules(projectId: number) {
  const keep = useKeepEnvironment(projectId);
  return useMutation({
    meta: { handlesErrors: true },
    mutationFn: (input: { name: string; rules: DeployRuleInput[]; updatedAt: number }) =>
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
      client.setQueryData<ProtectedEnvironment[]>(keys.environments.ofProject(projectId), (list) =>
        list?.filter((environment) => environment.name !== name),
      );
    },
  });
}

function useKeepEnvironment(projectId: number) {
  const client = useQueryClient();
  const queryKey = keys.environments.ofProject(projectId);
  return (saved: ProtectedEnvironment) => {
    client.setQueryData<ProtectedEnvironment[]>(queryKey, (list = []) =>
      [...list.filter((environment) => environment.name !== saved.name), saved].sort((a, b) =>
        a.name < b.name ? -1 : 1,
      ),
    );
  };
}
