import { keepPreviousData, useInfiniteQuery, useMutation } from '@tanstack/react-query';
import type { MethodParams } from '../../server/contract/methods.ts';
import { call, keyOf } from './call.ts';
import { changeTag } from './packages.ts';
import type { Undo } from './undo.ts';

const pageSize = 200;

export type ActivityFilter = Pick<MethodParams<'directory.audit'>, 'search' | 'projectId' | 'actorId' | 'kind'>;

/** The audit trail, newest first; in pages. */
export function useActivity(filter: ActivityFilter) {
  return useInfiniteQuery({
    queryKey: [...keyOf('directory.audit'), filter],
    queryFn: ({ pageParam }) => call('directory.audit', { ...filter, beforeId: pageParam, limit: pageSize }),
    initialPageParam: null as number | null,
    getNextPageParam: (last) => last.nextBeforeId,
    placeholderData: keepPreviousData,
  });
}

/** Takes a change back. */
export const useUndo = () => useMutation({ mutationFn: carryOut });

async function carryOut(undo: Undo): Promise<unknown> {
  switch (undo.kind) {
    case 'rules':
      return call('environments.undo', { auditId: undo.auditId });
    case 'set-tag':
    case 'remove-tag':
      return changeTag(undo.packageId, undo);
    case 'deprecate': {
      const { packageId, messages, expected } = undo;
      const restored = Object.entries(messages).map(([version, message]) => [version, message ?? '']);
      return call('packages.deprecate', { packageId, messages: Object.fromEntries(restored), expected });
    }
    default:
      return neverHappens(undo);
  }
}

function neverHappens(undo: never): never {
  throw new Error(`Unknown undo: ${JSON.stringify(undo)}`);
}
