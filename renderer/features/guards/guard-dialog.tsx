import { Checkbox, Radio, Stack } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useState } from 'react';
import type { OnRefusal, TagGuardView } from '../../../server/contract/guards.ts';
import type { MethodResult } from '../../../server/contract/methods.ts';
import { useSetGuard, useSetRefusals } from '../../api/guards.ts';
import { Notice } from '../../ui/feedback/notice.tsx';
import { said } from '../../ui/feedback/toast.tsx';
import { FormDialog } from '../../ui/forms/form-dialog.tsx';
import { PublishChoice } from './approvers.tsx';

interface GuardDialogProps {
  projectId: number;
  guard: TagGuardView;
  data: MethodResult<'guards.list'>;
  /** Whether others than those who may deploy approve. */
  hasApprovalRules: boolean;
  onClose: () => void;
}

/** Changes whom the guard of a tag or pattern lets through. */
export function GuardDialog({ projectId, guard, data, hasApprovalRules, onClose }: GuardDialogProps) {
  const { pattern } = guard;
  const set = useSetGuard();
  // As it is stored now: what was changed elsewhere meanwhile stays, except for the boxes that were ticked here.
  const stored = data.guards.find((each) => each.pattern === pattern);
  const { environment, allowSelfApproval, deployersWait } = stored ?? guard;
  const [ticked, setTicked] = useState<{ allowSelfApproval?: boolean; deployersWait?: boolean }>({});
  const settings = { allowSelfApproval, deployersWait, ...ticked };
  const isStaged = data.onRefusal === 'stage';
  return (
    <FormDialog
      opened
      title={isStaged ? `Approval for ${pattern}` : `Guard of ${pattern}`}
      action={stored === undefined ? (isStaged ? 'Require it again' : 'Guard it again') : 'Save'}
      busy={set.isPending}
      error={set.error}
      onClose={onClose}
      onSubmit={() =>
        set.mutate(
          { projectId, pattern, environment, ...settings, ...(stored && { updatedAt: stored.updatedAt }) },
          {
            onSuccess: () => {
              onClose();
              notifications.show({
                message: isStaged ? said`Saved approval for ${pattern}` : said`Saved the guard of ${pattern}`,
              });
            },
          },
        )
      }
    >
      <PublishChoice
        isFirst
        who={hasApprovalRules || !isStaged ? 'somebody who may deploy' : 'an approver'}
        outcomes={{
          published: 'It happens at once',
          waits: !isStaged
            ? 'It is refused, except for administrators'
            : hasApprovalRules
              ? 'It waits for approval, too'
              : 'It waits for another approver',
        }}
        waits={settings.deployersWait}
        onWaits={(deployersWait) => setTicked({ ...ticked, deployersWait })}
      />
      <Checkbox
        label="Allow self-approval"
        description="Users may approve their own requests."
        checked={settings.allowSelfApproval}
        onChange={(event) => setTicked({ ...ticked, allowSelfApproval: event.currentTarget.checked })}
      />
      {stored === undefined ? (
        <Notice tone="warn" title="Removed elsewhere">
          {isStaged ? `${pattern} no longer requires approval.` : `The guard of ${pattern} was removed.`}
        </Notice>
      ) : environment === guard.environment ? null : (
        <Notice tone="warn" title="Changed elsewhere while you were editing">
          {environment} guards {pattern} now. Save keeps that.
        </Notice>
      )}
    </FormDialog>
  );
}

interface RefusalsDialogProps {
  projectId: number;
  onRefusal: OnRefusal;
  onClose: () => void;
}

const refusals: readonly { value: OnRefusal; label: string }[] = [
  { value: 'stage', label: 'It waits for approval in the inbox' },
  { value: 'refuse', label: 'It fails with an error' },
];

/** What becomes of publishes that the guards of a project refuse. */
export function RefusalsDialog({ projectId, onRefusal, onClose }: RefusalsDialogProps) {
  const save = useSetRefusals();
  const [chosen, setChosen] = useState(onRefusal);
  return (
    <FormDialog
      opened
      title="Publishing to these tags"
      action="Save"
      busy={save.isPending}
      error={save.error}
      onClose={onClose}
      onSubmit={() => save.mutate({ projectId, onRefusal: chosen }, { onSuccess: onClose })}
    >
      <Radio.Group
        label="When a publish or a move needs approval"
        description="One setting for all of these tags."
        value={chosen}
        onChange={setChosen}
      >
        <Stack gap={6} mt={6}>
          {refusals.map(({ value, label }) => (
            <Radio key={value} value={value} label={label} data-autofocus={value === chosen || undefined} />
          ))}
        </Stack>
      </Radio.Group>
    </FormDialog>
  );
}
