import { Checkbox, Radio, Stack, TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useState } from 'react';
import { guardMethods, type OnRefusal, type TagGuardView } from '../../../server/contract/guards.ts';
import type { MethodResult } from '../../../server/contract/methods.ts';
import { matchesTag, selectGuard } from '../../../server/contract/select-guard.ts';
import { useSetGuard, useSetRefusals } from '../../api/guards.ts';
import { Notice } from '../../ui/feedback/notice.tsx';
import { said } from '../../ui/feedback/toast.tsx';
import { FormDialog } from '../../ui/forms/form-dialog.tsx';
import { useSchemaForm } from '../../ui/forms/use-schema-form.ts';
import { fewOf, formatCount } from '../../ui/text/format.ts';
import { TailText } from '../../ui/text/tail-text.tsx';
import './guards.css';

/** Whether it is the name of one tag, and no pattern. */
export function namesOneTag({ pattern }: Pick<TagGuardView, 'pattern'>): boolean {
  return !pattern.includes('*');
}

/** "Matches latest, next", of the tags that packages of the project have; nothing for the name of one of them. */
export function matchText(pattern: string, tags: readonly string[]): string[] {
  if (namesOneTag({ pattern })) return tags.includes(pattern) ? [] : ['No package has this tag yet'];
  const found = tags.filter((tag) => matchesTag(pattern, tag));
  if (found.length === 0) return ['Matches no tag yet'];
  return [`Matches ${fewOf(found, 4)}`];
}

/** What `matchText` says, in a line that of a long tag shows what the pattern names. */
function MatchLine({ pattern, tags }: { pattern: string; tags: readonly string[] }) {
  const [text] = matchText(pattern, tags);
  const [tag, ...others] = tags.filter((each) => matchesTag(pattern, each));
  if (text === undefined) return null;
  if (tag === undefined || text.length < 60) return `${text}.`;
  const end = pattern.slice(pattern.lastIndexOf('*') + 1);
  const middle = pattern.startsWith('*') && end === '' ? pattern.split('*').find((part) => part !== '') : undefined;
  const from = middle === undefined ? 0 : tag.indexOf(middle);
  return (
    <span className="gh-guard-tag">
      Matches <TailText text={from === 0 ? tag : `…${tag.slice(from)}`} tail={end.length} exact />
      {others.length === 0 ? '' : ` and ${formatCount(others.length)} more`}.
    </span>
  );
}

interface GuardDialogProps {
  projectId: number;
  environment: string;
  /** Whether the environment has approval rules. */
  hasApprovers?: boolean;
  /** Undefined: a new one. */
  guard: TagGuardView | undefined;
  data: MethodResult<'guards.list'>;
  onClose: () => void;
}

/** Guards a tag or pattern, or changes its guard. */
export function GuardDialog({ projectId, environment, hasApprovers = false, guard, data, onClose }: GuardDialogProps) {
  const { guards, tags } = data;
  const set = useSetGuard();
  // As it is stored now: what was changed elsewhere meanwhile stays, except for the boxes that were ticked here.
  const stored = guard && guards.find((each) => each.pattern === guard.pattern);
  const isGone = guard !== undefined && stored === undefined;
  const [ticked, setTicked] = useState<{ allowSelfApproval?: boolean; deployersWait?: boolean }>({});
  const formerOf = (pattern: string) => (guard ? undefined : guards.find((each) => each.pattern === pattern));
  const settingsOf = (pattern: string) => {
    const { allowSelfApproval = false } = stored ?? guard ?? formerOf(pattern) ?? {};
    // Where a wider guard lets deployers wait, one for some of its tags does not let them through unasked.
    const { deployersWait = false } = stored ?? guard ?? selectGuard(guards, pattern) ?? {};
    return { allowSelfApproval, deployersWait, ...ticked };
  };
  // Who set approvers wants their approval; later guards leave the setting of the project as it is.
  const [chosen, setChosen] = useState<OnRefusal | undefined>(
    hasApprovers && guards.length === 0 ? 'stage' : undefined,
  );
  const isStaged = (chosen ?? data.onRefusal) === 'stage';
  const hasApprovals = guard !== undefined || isStaged;
  const toInput = (values: { pattern: string }) => ({
    projectId,
    environment: stored?.environment ?? environment,
    pattern: values.pattern.trim(),
    ...settingsOf(values.pattern.trim()),
    ...(chosen && { onRefusal: chosen }),
    ...(stored && { updatedAt: stored.updatedAt }),
  });
  const initially = { pattern: guard?.pattern ?? '' };
  const required = { pattern: 'Enter a tag or a pattern.' };
  const form = useSchemaForm(guardMethods['guards.set'].input, initially, { toInput, required });
  const pattern = form.values.pattern.trim();
  const former = formerOf(pattern);
  const { allowSelfApproval, deployersWait } = settingsOf(pattern);
  const hasMatch = pattern !== '' && matchText(pattern, tags).length > 0;
  const isElsewhere = former !== undefined && former.environment !== environment;
  return (
    <FormDialog
      opened
      title={guard === undefined ? `Guard a tag with ${environment}` : `Edit the guard of ${guard.pattern}`}
      action={guard === undefined ? 'Guard' : isGone ? 'Guard it again' : 'Save'}
      busy={set.isPending}
      error={set.error}
      onClose={onClose}
      onSubmit={form.submit((values) =>
        set.mutate(toInput(values), {
          onSuccess: () => {
            onClose();
            notifications.show({ message: guard ? said`Saved the guard of ${pattern}` : said`Guarded ${pattern}` });
          },
        }),
      )}
    >
      {guard === undefined ? (
        <TextInput
          label="Tag or pattern"
          placeholder="e.g. latest or *-lts"
          data-autofocus
          autoComplete="off"
          spellCheck={false}
          description={
            <>
              {hasMatch ? <MatchLine pattern={pattern} tags={tags} /> : isElsewhere ? null : 'Use * for any text.'}
              {isElsewhere ? ` Now guarded by ${former.environment}.` : null}
            </>
          }
          {...form.getInputProps('pattern')}
        />
      ) : null}
      {guard === undefined ? <RefusalChoice value={chosen ?? data.onRefusal} onChange={setChosen} /> : null}
      {hasApprovals || deployersWait ? (
        <Checkbox
          mt={6}
          data-autofocus={guard !== undefined || undefined}
          label={isStaged ? 'Users who may deploy wait, too' : 'Refuse users who may deploy, too'}
          description={
            isStaged
              ? 'Otherwise they publish without waiting. Administrators never wait.'
              : 'Only administrators publish then.'
          }
          checked={deployersWait}
          onChange={(event) => setTicked({ ...ticked, deployersWait: event.currentTarget.checked })}
        />
      ) : null}
      {hasApprovals || allowSelfApproval ? (
        <Checkbox
          label="Allow self-approval"
          description="Users may approve their own requests."
          checked={allowSelfApproval}
          onChange={(event) => setTicked({ ...ticked, allowSelfApproval: event.currentTarget.checked })}
        />
      ) : null}
      {isGone ? (
        <Notice tone="warn" title="Removed elsewhere">
          The guard of {pattern} was removed.
        </Notice>
      ) : stored !== undefined && stored.environment !== environment ? (
        <Notice tone="warn" title="Changed elsewhere while you were editing">
          {stored.environment} guards {pattern} now. Save keeps that.
        </Notice>
      ) : null}
    </FormDialog>
  );
}

interface RefusalsDialogProps {
  projectId: number;
  onRefusal: OnRefusal;
  onClose: () => void;
}

/** What becomes of publishes that the guards of a project refuse. */
export function RefusalsDialog({ projectId, onRefusal, onClose }: RefusalsDialogProps) {
  const save = useSetRefusals();
  const [chosen, setChosen] = useState(onRefusal);
  return (
    <FormDialog
      opened
      title="Publishing to guarded tags"
      action="Save"
      busy={save.isPending}
      error={save.error}
      onClose={onClose}
      onSubmit={() => save.mutate({ projectId, onRefusal: chosen }, { onSuccess: onClose })}
    >
      <RefusalChoice value={chosen} onChange={setChosen} isFirst />
    </FormDialog>
  );
}

const refusals: readonly { value: OnRefusal; label: string }[] = [
  { value: 'stage', label: 'The version waits for approval in the inbox' },
  { value: 'refuse', label: 'npm publish fails with an error' },
];

interface RefusalChoiceProps {
  value: OnRefusal;
  onChange: (value: OnRefusal) => void;
  /** Whether the dialog begins with it. */
  isFirst?: boolean;
}

function RefusalChoice({ value, onChange, isFirst = false }: RefusalChoiceProps) {
  return (
    <Radio.Group
      label="When a guard stops a publish"
      description="One setting for all guarded tags of the project."
      value={value}
      onChange={(next) => onChange(next)}
    >
      <Stack gap={6} mt={6}>
        {refusals.map((each) => (
          <Radio
            key={each.value}
            value={each.value}
            label={each.label}
            data-autofocus={(isFirst && each.value === value) || undefined}
          />
        ))}
      </Stack>
    </Radio.Group>
  );
}
