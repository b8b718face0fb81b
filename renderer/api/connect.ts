import { useMutation, useQuery } from '@tanstack/react-query';
import type { MethodParams } from '../../server/contract/methods.ts';
import { call } from './call.ts';
import { keys } from './keys.ts';

/** What writing the lines would make of the folder's `.npmrc`. */
export function usePreviewConnection() {
  return useMutation({
    meta: { handlesErrors: true },
    mutationFn: (input: MethodParams<'connect.preview'>) => call('connect.preview', input),
  });
}

/** Writes the lines with a fresh token into the folder's `.npmrc`. */
export function useWriteConnection() {
  return useMutation({
    meta: { handlesErrors: true },
    mutationFn: (input: MethodParams<'connect.write'>) => call('connect.write', input),
  });
}

/** Puts the former `.npmrc` back and revokes the token. */
export function useUndoConnection() {
  return useMutation({
    meta: { handlesErrors: true },
    mutationFn: (folder: string) => call('connect.undo', { folder }),
  });
}

/** Clients that asked this registry for packages since a moment, newest first; live. */
export function useArrivals(since: number) {
  return useQuery({
    queryKey: [...keys.requests, 'arrivals', since],
    queryFn: () => call('connect.arrivals', { since }),
  });
}

/** How far the self-test of the package managers is. */
export function useSelfTest() {
  return useQuery({ queryKey: keys.connect, queryFn: () => call('connect.selfTest', {}), refetchOnMount: 'always' });
}

/** Starts the self-test in a project, or stops it (`null`). */
export function useRunSelfTest() {
  return useMutation({
    mutationFn: (projectId: number | null) =>
      projectId === null ? call('connect.stopSelfTest', {}) : call('connect.startSelfTest', { projectId }),
  });
}
