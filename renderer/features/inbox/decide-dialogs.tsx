import { PasswordInput, Select, Textarea } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useNavigate } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { releaseMethods, type ReleaseApprover, type WaitingRelease } from '../../../server/contract/releases.ts';
import { useApprove, useApprovers, useReject, useReleases } from '../../api/releases.ts';
import { Notice } from '../../ui/feedback/notice.tsx';
import { Pending } from '../../ui/feedback/pending.tsx';
import { said, showDone } from '../../ui/feedback/toast.tsx';
import { FormDialog } from '../../ui/forms/form-dialog.tsx';
import { IdSelect } from '../../ui/forms/id-select.tsx';
import { useSchemaForm } from '../../ui/forms/use-schema-form.ts';
import { afterApproval, closedBy, releaseName, subjectOf } from './release-text.ts';

interface DecideDialogProps {
  release: WaitingRelease;
  /** It no longer waits: it was released, rejected or withdrawn elsewhere. */
  isGone: boolean;
  onClose: () => void;
}

/** Gives an approval, as the window's own account or as another person who signs it. Says before what it leads to. */
export function ApproveDialog({ release, isGone, onClose }: DecideDialogProps) {
  const approvers = useApprovers(release.id);
  const approve = useApprove();
  const navigate = useNavigate();
  const decision = useDecision(
    approvers.data?.filter(({ choices }) => choices.length > 0),
    (userId) => release.approvals.some(({ user }) => user.id === userId),
  );
  const [representedAs, setRepresentedAs] = useState<string | null>(null);
  const { chosen } = decision;
  const rules = chosen?.choices.flatMap((choice) => choice.representedAs ?? []) ?? [];
  const choice = chosen?.choices.find((each) => each.representedAs === representedAs) ?? chosen?.choices[0];
  const name = subjectOf(release);
  const { data: waiting = [] } = useReleases();
  const others = waiting.filter(({ id }) => id !== release.id);
  const closes = closedBy(release, others);
  const gone = isGone && !approve.isPending && !approve.isSuccess;
  // Its first field takes the focus when it opens.
  if (approvers.isPending) return null;
  const submit = decision.submit((decided) =>
    approve.mutate(
      {
        id: release.id,
        ...decided,
        ...(choice?.representedAs ? { representedAs: choice.representedAs } : {}),
      },
      {
        onSuccess: ({ state, missing }) => {
          onClose();
          if (state === 'waiting') {
            notifications.show({ title: said`Approved ${name}`, message: `It still needs ${missing}.` });
            return;
          }
          const { packageId } = release;
          // It is no longer in the inbox.
          showDone(approvedText(release, state, closes), {
            label: 'Show the package',
            run: () =>
              void (packageId === null
                ? navigate({ to: '/package-by-name/$name', params: { name: release.name } })
                : navigate({ to: '/packages/$packageId', params: { packageId } })),
          });
        },
      },
    ),
  );
  return (
    <FormDialog
      opened
      title={`Approve ${name}`}
      action={
        choice?.missing === '' ? (release.kind === 'version' ? 'Approve and publish' : 'Approve and move') : 'Approve'
      }
      busy={approve.isPending}
      error={approve.error}
      disabled={gone || decision.chosen === undefined}
      size={480}
      onClose={onClose}
      onSubmit={submit}
    >
      {gone ? (
        <GoneNotice name={name} />
      ) : decision.people === undefined ? (
        <Pending what="who may approve" error={approvers.error} />
      ) : decision.people.length === 0 ? (
        <Notice tone="warn" title="Nobody can approve it now">
          Change the approval rules of the environment, or add a member who matches them.
        </Notice>
      ) : (
        <>
          <PersonFields label="Approve as" decision={decision} />
          {rules.length > 1 ? (
            <Select
              label="Counts for"
              data={[
                { value: '', label: 'Every rule that matches' },
                ...rules.map((rule) => ({ value: rule, label: rule })),
              ]}
              allowDeselect={false}
              value={choice?.representedAs ?? ''}
              onChange={(value) => setRepresentedAs(value || null)}
            />
          ) : null}
          <CommentField label="Comment" decision={decision} />
          {choice === undefined ? null : (
            <div role="status" className="gh-decide-next">
              <strong>What happens next:</strong> {afterApproval(release, choice.missing)}{' '}
              {choice.missing === '' ? closes : null}
            </div>
          )}
        </>
      )}
    </FormDialog>
  );
}

/** What the last approval led to; `closes` says which other requests it closed, and is empty for none. */
function approvedText(release: WaitingRelease, state: 'published' | 'moved', closes: string): ReactNode {
  const { name, tags, version } = release;
  return (
    <>
      <strong>
        {state === 'published' ? said`Published ${releaseName(release)}` : said`Moved ${tags.join(' and ')} of ${name}`}
      </strong>
      <div className="gh-muted">
        {`${tags.join(' and ')} ${tags.length === 1 ? 'points' : 'point'} to ${version} now. ${closes}`.trimEnd()}
      </div>
    </>
  );
}

function GoneNotice({ name }: { name: string }) {
  return (
    <Notice tone="warn" title="It no longer waits">
      The request for {name} ended elsewhere. Activity says how.
    </Notice>
  );
}

/** Ends a release with a reason. */
export function RejectDialog({ release, isGone, onClose }: DecideDialogProps) {
  const approvers = useApprovers(release.id);
  const reject = useReject();
  const decision = useDecision(approvers.data, () => false);
  const name = subjectOf(release);
  const gone = isGone && !reject.isPending && !reject.isSuccess;
  // Its first field takes the focus when it opens.
  if (approvers.isPending) return null;
  return (
    <FormDialog
      opened
      title={`Reject ${name}`}
      action="Reject"
      danger
      busy={reject.isPending}
      error={reject.error}
      disabled={gone || decision.chosen === undefined}
      size={480}
      onClose={onClose}
      onSubmit={decision.submit((decided) =>
        reject.mutate(
          { id: release.id, ...decided },
          {
            onSuccess: () => {
              onClose();
              notifications.show({ message: said`Rejected ${name}` });
            },
          },
        ),
      )}
    >
      {gone ? (
        <GoneNotice name={name} />
      ) : decision.people === undefined ? (
        <Pending what="who may reject" error={approvers.error} />
      ) : (
        <>
          <PersonFields label="Reject as" decision={decision} />
          <CommentField label="Reason" decision={decision} />
          <div role="status" className="gh-decide-next">
            <strong>What happens next:</strong>{' '}
            {release.kind === 'version'
              ? `The upload is deleted. ${release.version} can be published again.`
              : `${release.tags.join(' and ')} ${release.tags.length === 1 ? 'does' : 'do'} not move. The move can be requested again.`}{' '}
            The reason is kept in Activity.
          </div>
        </>
      )}
    </FormDialog>
  );
}

const decisionSchema = releaseMethods['releases.reject'].input.pick({ comment: true });

/** Who decides, with what proof, and the words to it. */
function useDecision(people: readonly ReleaseApprover[] | undefined, hasDecided: (userId: number) => boolean) {
  const [userId, setUserId] = useState<number | null>(null);
  const open = people?.filter(({ id }) => !hasDecided(id)) ?? [];
  const byDefault = open.find(({ isWindow }) => isWindow) ?? open[0] ?? people?.[0];
  const chosen = people?.find(({ id }) => id === userId) ?? byDefault;
  const signer = chosen !== undefined && !chosen.isWindow ? chosen.username : undefined;
  const form = useSchemaForm(
    decisionSchema,
    { secret: '', comment: '' },
    {
      required: signer === undefined ? {} : { secret: 'Enter the password or a token.' },
    },
  );
  return {
    people,
    chosen,
    hasDecided,
    setUserId: (id: number | null) => {
      setUserId(id);
      form.setFieldValue('secret', '');
    },
    signer,
    fieldProps: form.getInputProps,
    submit: (send: (decided: { comment: string; signedBy?: { username: string; secret: string } }) => void) =>
      form.submit(({ secret, comment }) =>
        send({
          comment: comment.trim(),
          ...(signer !== undefined && { signedBy: { username: signer, secret } }),
        }),
      ),
  };
}

type Decision = ReturnType<typeof useDecision>;

function PersonFields({ label, decision }: { label: string; decision: Decision }) {
  const { people = [], chosen, hasDecided, signer } = decision;
  const [first] = people;
  const isChoice = people.length > 1 || (first !== undefined && hasDecided(first.id));
  return (
    <>
      {isChoice ? (
        <IdSelect
          label={label}
          data-autofocus
          searchable={people.length > 8}
          options={people.map((person) => ({ id: person.id, label: personLabel(person, hasDecided(person.id)) }))}
          value={chosen?.id ?? null}
          onChange={decision.setUserId}
        />
      ) : null}
      {signer === undefined ? null : (
        <PasswordInput
          label={`Password or token of @${signer}`}
          description="Not stored. A token needs the api or write_package_registry scope."
          autoComplete="off"
          data-autofocus
          visibilityToggleButtonProps={{ 'aria-label': 'Show the password' }}
          {...decision.fieldProps('secret')}
        />
      )}
    </>
  );
}

function personLabel({ name, username, isWindow }: ReleaseApprover, hasDecided: boolean): string {
  return `${name} (${isWindow ? 'you' : `@${username}`})${hasDecided ? ', has approved' : ''}`;
}

function CommentField({ label, decision }: { label: string; decision: Decision }) {
  return (
    <Textarea label={label} data-autofocus autosize minRows={2} maxLength={1000} {...decision.fieldProps('comment')} />
  );
}
