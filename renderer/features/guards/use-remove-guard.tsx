import { notifications } from '@mantine/notifications';
import type { TagGuardView } from '../../../server/contract/guards.ts';
import { useRemoveGuard as useRemoval } from '../../api/guards.ts';
import { ask, quoted } from '../../ui/feedback/ask.tsx';
import { said } from '../../ui/feedback/toast.tsx';
import { namesOneTag } from './guard-dialog.tsx';

/** Removes a guard of the project's tags, after asking. */
export function useRemoveGuard(projectId: number): (guard: TagGuardView) => void {
  const { mutate: remove } = useRemoval();
  return (guard) => {
    const { pattern } = guard;
    ask({
      title: `Remove the guard of ${quoted(pattern)}?`,
      consequence: namesOneTag(guard)
        ? 'Everyone who may publish can then move this tag, unless another guard matches it.'
        : 'Everyone who may publish can then move these tags, unless another guard matches them.',
      action: 'Remove',
      run: () =>
        remove(
          { projectId, pattern },
          { onSuccess: () => notifications.show({ message: said`Removed the guard of ${pattern}` }) },
        ),
    });
  };
}
