import { notifications } from '@mantine/notifications';
import type { TagGuardView } from '../../../server/contract/guards.ts';
import { useGuards, useRemoveGuard as useRemoval } from '../../api/guards.ts';
import { ask, quoted } from '../../ui/feedback/ask.tsx';
import { said } from '../../ui/feedback/toast.tsx';
import { namesOneTag } from './matched-tags.tsx';

/** Removes a guard of the project's tags, after asking. */
export function useRemoveGuard(projectId: number): (guard: TagGuardView) => void {
  const { data } = useGuards(projectId);
  const { mutate: remove } = useRemoval();
  const isStaged = data?.onRefusal === 'stage';
  return (guard) => {
    const { pattern } = guard;
    ask({
      title: isStaged
        ? `No longer require approval for ${quoted(pattern)}?`
        : `Remove the guard of ${quoted(pattern)}?`,
      consequence: namesOneTag(guard)
        ? 'Everyone who may publish can then move this tag, unless another pattern in the list matches it.'
        : 'Everyone who may publish can then move these tags, unless another pattern in the list matches them.',
      action: 'Remove',
      run: () =>
        remove(
          { projectId, pattern },
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
