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
      const { packageId, messages } = undo;
      for (const message of new Set(Object.values(messages))) {
        const versions = Object.keys(messages).filter((version) => messages[version] === message);
        await call('packages.deprecate', { packageId, versions, message: message ?? '' });
      }
      return null;
    }
    default:
      return neverHappens(undo);
  }
}

function neverHappens(undo: never): never {
  throw new Error(`Unknown undo: ${JSON.stringify(undo)}`);
}
