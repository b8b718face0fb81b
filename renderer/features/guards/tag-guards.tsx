import { ActionIcon, Anchor, Button, Checkbox, Group, Radio, Stack, TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconLock, IconPencil } from '@tabler/icons-react';
import { Fragment, useState } from 'react';
import { guardMethods, type OnRefusal, type TagGuardView } from '../../../server/contract/guards.ts';
import type { MethodResult } from '../../../server/contract/methods.ts';
import { matchesTag } from '../../../server/contract/select-guard.ts';
import { useGuards, useRemoveGuard, useSetGuard } from '../../api/guards.ts';
import { ask, quoted } from '../../ui/feedback/ask.tsx';
import { Notice } from '../../ui/feedback/notice.tsx';
import { FormDialog } from '../../ui/forms/form-dialog.tsx';
import { RemoveButton } from '../../ui/forms/remove-button.tsx';
import { useSchemaForm } from '../../ui/forms/use-schema-form.ts';
import { formatCount } from '../../ui/text/format.ts';
import { Section } from '../../ui/page/section.tsx';
import { PublishPreviewDialog } from './publish-preview.tsx';
import './guards.css';

const refusals: readonly { value: OnRefusal; label: string; sentence: string }[] = [
  { value: 'stage', label: 'Wait for approval in the inbox', sentence: 'For others, both wait in the inbox.' },
  { value: 'refuse', label: 'Fail with an error', sentence: 'For others, both fail with an error.' },
];

type GuardList = MethodResult<'guards.list'>;

interface TagGuardsProps {
  projectId: number;
  environment: string;
}

/** The dist-tags that an environment guards, to bind more and to let them go. */
export function TagGuards({ projectId, environment }: TagGuardsProps) {
  const { data } = useGuards(projectId);
  const { mutate: remove } = useRemoveGuard();
  const [edited, setEdited] = useState<TagGuardView | 'new'>();
  const [previewed, setPreviewed] = useState<string>();
  if (data === undefined) return null;
  const guards = data.guards.filter((guard) => guard.environment === environment);
  const [first] = guards;
  return (
    <Section
      title="Guarded tags"
      text={
        <>
          Only users who may deploy here can publish to a guarded tag or move it.
          {first === undefined ? null : (
            <>
              {' '}
              {refusals.find(({ value }) => value === data.onRefusal)?.sentence}{' '}
              <Anchor component="button" type="button" data-command="refusals" onClick={() => setEdited(first)}>
                Change…
              </Anchor>
            </>
          )}
        </>
      }
    >
      {guards.length === 0 ? null : (
        <ul className="gh-list" aria-label={`Tags that ${environment} guards`}>
          {guards.map((guard) => (
            <li key={guard.id}>
              <IconLock size={16} className="gh-guard-lock" aria-hidden="true" />
              <div className="gh-rule-text">
                <strong className="gh-mono">{guard.pattern}</strong>
                <div className="gh-muted gh-small">
                  {[
                    ...matchText(guard.pattern, data.tags),
                    ...(guard.allowSelfApproval ? ['self-approval allowed'] : []),
                  ].join(' · ')}
                </div>
              </div>
              <ActionIcon
                aria-label={`Edit the guard of ${guard.pattern}`}
                data-tip="Edit"
                onClick={() => setEdited(guard)}
              >
                <IconPencil size={15} />
              </ActionIcon>
              <RemoveButton
                label={`Remove the guard of ${guard.pattern}`}
                onClick={() =>
                  ask({
                    title: `Remove the guard of ${quoted(guard.pattern)}?`,
                    consequence: namesOneTag(guard)
                      ? 'Everyone who may publish can then move this tag, unless another guard matches it.'
                      : 'Everyone who may publish can then move these tags, unless another guard matches them.',
                    action: 'Remove',
                    run: () =>
                      remove(
                        { projectId, pattern: guard.pattern },
                        { onSuccess: () => notifications.show({ message: `Removed the guard of ${guard.pattern}` }) },
                      ),
                  })
                }
              />
            </li>
          ))}
        </ul>
      )}
      <Group gap={8} mt={8} align="end">
        <Button variant="default" data-command="guard" onClick={() => setEdited('new')}>
          Guard a tag…
        </Button>
        <Button variant="default" onClick={() => setPreviewed(guards.find(namesOneTag)?.pattern ?? 'latest')}>
          Who may publish…
        </Button>
      </Group>
      {edited === undefined ? null : (
        <GuardDialog
          projectId={projectId}
          environment={environment}
          guard={edited === 'new' ? undefined : edited}
          data={data}
          onClose={() => setEdited(undefined)}
        />
      )}
      {previewed === undefined ? null : (
        <PublishPreviewDialog projectId={projectId} tag={previewed} onClose={() => setPreviewed(undefined)} />
      )}
    </Section>
  );
}

/** Guards that name environments which nothing protects. */
export function UnprotectedGuards({ projectId }: { projectId: number }) {
  const { data } = useGuards(projectId);
  const open = data?.guards.filter((guard) => !guard.protected) ?? [];
  if (open.length === 0) return null;
  return (
    <div className="gh-unprotected-guards">
      <Notice tone="warn" title={open.length === 1 ? 'A guard without effect' : 'Guards without effect'}>
        {open.slice(0, 3).map(({ id, pattern, environment }) => (
          <Fragment key={id}>
            <strong>{pattern}</strong> is guarded by <strong>{environment}</strong>, which is not protected.{' '}
          </Fragment>
        ))}
        {open.length > 3 ? `${formatCount(open.length - 3)} more guards name unprotected environments. ` : ''}
        Everyone who may publish can move {open.length === 1 && open.every(namesOneTag) ? 'this tag' : 'these tags'}.
      </Notice>
    </div>
  );
}

function namesOneTag({ pattern }: Pick<TagGuardView, 'pattern'>): boolean {
  return !pattern.includes('*');
}

/** "Matches latest, next", of the tags that packages of the project have; nothing for the name of one of them. */
function matchText(pattern: string, tags: readonly string[]): string[] {
  if (namesOneTag({ pattern })) return tags.includes(pattern) ? [] : ['No package has this tag yet'];
  const found = tags.filter((tag) => matchesTag(pattern, tag));
  if (found.length === 0) return ['Matches no tag yet'];
  const shown = found.slice(0, 4).join(', ');
  return [`Matches ${shown}${found.length > 4 ? ` and ${formatCount(found.length - 4)} more` : ''}`];
}

interface GuardDialogProps extends TagGuardsProps {
  /** Undefined: a new one. */
  guard: TagGuardView | undefined;
  data: GuardList;
  onClose: () => void;
}

function GuardDialog({ projectId, environment, guard, data, onClose }: GuardDialogProps) {
  const { guards, tags } = data;
  const set = useSetGuard();
  // As it is stored now: what was changed elsewhere meanwhile stays, except for the box that was ticked here.
  const stored = guard && guards.find((each) => each.pattern === guard.pattern);
  const isGone = guard !== undefined && stored === undefined;
  const [ticked, setTicked] = useState<boolean>();
  const allowSelfApproval = ticked ?? (stored ?? guard)?.allowSelfApproval ?? false;
  const [chosen, setChosen] = useState<OnRefusal>();
  const toInput = (values: { pattern: string }) => ({
    projectId,
    environment: stored?.environment ?? environment,
    pattern: values.pattern.trim(),
    allowSelfApproval,
    ...(chosen && { onRefusal: chosen }),
    ...(stored && { updatedAt: stored.updatedAt }),
  });
  const initially = { pattern: guard?.pattern ?? '' };
  const required = { pattern: 'Enter a tag or a pattern.' };
  const form = useSchemaForm(guardMethods['guards.set'].input, initially, { toInput, required });
  const pattern = form.values.pattern.trim();
  const former = guard ? undefined : guards.find((each) => each.pattern === pattern);
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
            notifications.show({ message: guard ? `Saved the guard of ${pattern}` : `Guarded ${pattern}` });
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
            <span className={isElsewhere ? 'gh-guard-match' : 'gh-guard-match gh-truncate'}>
              {pattern === ''
                ? 'Use * for any text.'
                : [...matchText(pattern, tags), ...(isElsewhere ? [`Now guarded by ${former.environment}`] : [])]
                    .map((text) => `${text}.`)
                    .join(' ')}
            </span>
          }
          {...form.getInputProps('pattern')}
        />
      ) : null}
      <Radio.Group
        label="When a user who may not deploy publishes or moves it"
        description="For all guarded tags of the project."
        value={chosen ?? data.onRefusal}
        onChange={(value) => setChosen(value)}
      >
        <Stack gap={6} mt={6}>
          {refusals.map(({ value, label }) => (
            <Radio
              key={value}
              value={value}
              label={label}
              data-autofocus={(guard !== undefined && value === data.onRefusal) || undefined}
            />
          ))}
        </Stack>
      </Radio.Group>
      <Checkbox
        mt={6}
        label="Allow self-approval"
        description={
          (chosen ?? data.onRefusal) === 'stage'
            ? 'Users may approve their own requests.'
            : 'Has effect for npm stage publish only.'
        }
        checked={allowSelfApproval}
        onChange={(event) => setTicked(event.currentTarget.checked)}
      />
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
