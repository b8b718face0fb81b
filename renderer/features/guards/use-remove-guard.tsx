import { notifications } from '@mantine/notifications';
import type { TagGuardView } from '../../../server/contract/guards.ts';
import { useProtectedEnvironments } from '../../api/environments.ts';
import { useGuards, useRemoveGuard as useRemoval } from '../../api/guards.ts';
import { ask, quoted } from '../../ui/feedback/ask.tsx';
import { said } from '../../ui/feedback/toast.tsx';
import { isTagApprovers } from '../../api/tag-approvers.ts';
import { namesOneTag } from './matched-tags.tsx';

/** Removes a guard of the project's tags, after asking, and with the last one that needs them the approvers that were chosen for tags alone. */
export function useRemoveGuard(projectId: number): (guard: TagGuardView) => void {
  const { data } = useGuards(projectId);
  const { mutate: remove } = useRemoval();
  const { data: environments = [] } = useProtectedEnvironments({ projectId });
  const isStaged = data?.onRefusal === 'stage';
  return (guard) => {
    const { pattern, environment } = guard;
    const unprotect = isTagApprovers(environment) && environments.some(({ name }) => name === environment);
    const isLast = data?.guards.every((each) => each.pattern === pattern || each.environment !== environment) === true;
    const isOne = namesOneTag(guard);
    ask({
      title: isStaged
        ? `No longer require approval for ${quoted(pattern)}?`
        : `Remove the guard of ${quoted(pattern)}?`,
      consequence: `Everyone who may publish can then move ${isOne ? 'this tag' : 'these tags'}, unless another pattern in the list matches ${isOne ? 'it' : 'them'}.${unprotect && isLast ? ' The list of approvers is deleted, too.' : ''}`,
      action: 'Remove',
      run: () =>
        remove(
          { projectId, pattern, unprotect },
          {
            onSuccess: () =>
              notifications.show({
                message: isStaged
                  ? said`${pattern} no longer requires approval`
                  : said`Removed the guard of ${pattern}`,
              }),
          },
        ),
    });
  };
}
