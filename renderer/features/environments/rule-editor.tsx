import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useEffect, useState } from 'react';
import type {
  InheritedProtection,
  ProtectedEnvironment,
  ProtectionOwner,
} from '../../../server/contract/environments.ts';
import { CallFailed, useCall } from '../../api/call.ts';
import { useProtect, useReplaceRules, useUnprotect } from '../../api/environments.ts';
import { useGuards } from '../../api/guards.ts';
import { ask, quoted } from '../../ui/feedback/ask.tsx';
import { Moment } from '../../ui/text/moment.tsx';
import { ErrorNotice, Notice } from '../../ui/feedback/notice.tsx';
import { said, sayWhenDone, showDone } from '../../ui/feedback/toast.tsx';
import { PathText } from '../../ui/text/path-text.tsx';
import { ApprovalRules } from './approval-rules.tsx';
import { decide, followStored, isDirty, startEdit, statusOf, type EditSession } from './edit-session.ts';
import { Collisions } from './collisions.tsx';
import { EditorFrame } from './editor-frame.tsx';
import {
  byKind,
  changeCount,
  changesBetween,
  changeSentence,
  inputOf,
  withAdministrators,
} from '../../ui/rules/rule-draft.ts';
import { keepsTagApprovers } from '../../api/tag-approvers.ts';
import { guardNames } from '../guards/guard-people.ts';
import { UnprotectConsequence } from './unprotect-consequence.tsx';
import { GuardedTagsLink } from './guarded-tags-link.tsx';
import { InheritedRules } from './inherited-rules.tsx';
import { RuleList } from '../../ui/rules/rule-list.tsx';
import { RulePicker } from '../../ui/rules/rule-picker.tsx';
import { WhoDeploys } from './who-deploys.tsx';
import { UnprotectedEnvironment } from './unprotected-environment.tsx';
import { editKeyOf, keepEdit, unsavedEdit } from './unsaved-edits.ts';

interface RuleEditorProps {
  owner: ProtectionOwner;
  name: string;
  /** As stored now; undefined once it is no longer protected. */
  environment: ProtectedEnvironment | undefined;
  /** What groups above a project protect. */
  inherited: readonly InheritedProtection[];
  /** Asked to protect an environment that is not. */
  onProtect: (name: string) => void;
  onClosed: () => void;
}

/** Edits who may deploy to an environment. Shows what saving changes, and never overwrites another edit silently. */
export function RuleEditor({ owner, name, environment, inherited, onProtect, onClosed }: RuleEditorProps) {
  const projectId = 'projectId' in owner ? owner.projectId : undefined;
  const editKey = editKeyOf(owner, name);
  const [session, setSession] = useState<EditSession | undefined>(
    () => unsavedEdit(editKey) ?? (environment === undefined ? undefined : startEdit(environment)),
  );
  const replace = useReplaceRules(owner);
  // Its promise is kept also where another environment is opened meanwhile; errors are shown for all calls.
  const { mutateAsync: undo } = useCall('environments.replaceRules');
  const protect = useProtect(owner);
  const unprotect = useUnprotect(owner);
  const guards = useGuards(projectId);

  // Without changes of its own, it has nothing to keep of a protection that was removed.
  const isRemoved = environment === undefined && session !== undefined && !isDirty(session);
  const opened = isRemoved ? undefined : (session ?? (environment && startEdit(environment)));
  const followed = opened && environment ? followStored(opened, environment) : opened;
  if (followed !== session) setSession(followed);
  const status = followed && statusOf(followed, environment);
  const unsaved = status?.kind === 'conflict' || (status?.kind === 'current' && status.dirty);
  useEffect(() => keepEdit(editKey, unsaved ? followed : undefined), [editKey, unsaved, followed]);

  // Unprotected from here: the next environment is shown in a moment.
  if (environment === undefined && !unprotect.isIdle) return null;
  if (followed === undefined || status === undefined) {
    return projectId === undefined ? null : (
      <UnprotectedEnvironment
        projectId={projectId}
        name={name}
        inherited={inherited}
        onProtect={() => onProtect(name)}
      />
    );
  }
  const before = followed.base;
  const rules = withAdministrators(followed.rules);
  const changes = changesBetween(before, rules);
  const isChanged = changeCount(changes) > 0;
  const [deployRules, approvals] = byKind(followed.rules);
  const [deployBefore, approvalsBefore] = byKind(before);
  const above = inherited.filter((protection) => protection.tier === environment?.tier);
  const guarding = guards.data?.guards.filter((guard) => guard.environment === name) ?? [];
  const guardedTags =
    projectId === undefined || guarding.length === 0 ? null : (
      <GuardedTagsLink projectId={projectId} guards={guarding} />
    );
  const isStaged = guards.data?.onRefusal === 'stage';
  const hasApprovers = approvals.length > 0 || above.some((protection) => protection.approvalRules.length > 0);
  const wait = guarding.every(({ deployersWait }) => deployersWait);
  const keepsApprovers = keepsTagApprovers(name, guarding);
  const isForTags = keepsApprovers && isStaged && above.length === 0 && !(hasApprovers && wait);
  const deployLabel = !isForTags ? 'Allowed to deploy' : hasApprovers ? 'Publish without approval' : 'Approvers';
  const canSave = status.kind === 'current' && isChanged;
  const edit = (edited: EditSession['rules']) => {
    replace.reset();
    setSession({ ...followed, rules: edited });
  };
  const save = () =>
    replace.mutate(
      { name, ...inputOf(rules), updatedAt: followed.updatedAt },
      {
        onSuccess: (saved) => {
          setSession(startEdit(saved));
          showDone(said`Saved the rules of ${name}`, {
            label: 'Undo',
            // Refused if they were changed again since.
            run: () =>
              sayWhenDone(
                undo({ ...owner, name, ...inputOf(before, true), updatedAt: saved.updatedAt }),
                said`The rules of ${name} are as they were`,
              ),
          });
        },
      },
    );
  const protectAgain = () =>
    protect.mutate({ name, ...inputOf(rules, true) }, { onSuccess: (saved) => setSession(startEdit(saved)) });
  const confirmUnprotect = () => {
    ask({
      title: `Unprotect ${quoted(name)}?`,
      consequence: (
        <UnprotectConsequence
          name={name}
          isTier={projectId === undefined}
          groups={above.map((protection) => protection.group.fullPath)}
          guards={guarding}
          isStaged={isStaged}
        />
      ),
      action: 'Unprotect',
      leave: 'Keep it protected',
      run: () =>
        unprotect.mutate(name, {
          onSuccess: () => {
            onClosed();
            notifications.show({ message: said`Unprotected ${name}` });
          },
        }),
    });
  };
  // A conflict is shown by the notice below as soon as the other edit is known.
  const failure = replace.error instanceof CallFailed && replace.error.code === 'conflict' ? null : replace.error;

  return (
    <EditorFrame
      label={`Rules of ${name}`}
      title={
        keepsApprovers ? (
          `${isStaged ? 'Approvers of' : 'Who may publish to'} ${guardNames(guarding)}`
        ) : (
          <PathText path={name} />
        )
      }
      intro={
        environment === undefined ? null : (
          <>
            <WhoDeploys
              tier={projectId === undefined ? name : undefined}
              above={above}
              guardedTags={guardedTags}
              isForTags={isForTags}
              isStaged={isStaged}
              hasApprovers={hasApprovers}
              wait={wait}
            />
            Changed <Moment time={environment.updatedAt} />.
          </>
        )
      }
      action={
        environment === undefined || keepsApprovers ? null : (
          <Button variant="default" flex="none" onClick={confirmUnprotect} loading={unprotect.isPending}>
            Unprotect…
          </Button>
        )
      }
      onSubmit={(event) => {
        event.preventDefault();
        if (canSave) save();
      }}
      footer={
        environment === undefined ? null : (
          <>
            <div role="status" className={isChanged ? undefined : 'gh-muted'}>
              {isChanged ? changeSentence(changes) : 'All changes are saved.'}
            </div>
            <Button
              variant="default"
              disabled={!isChanged}
              onClick={() => {
                replace.reset();
                setSession(startEdit(environment));
              }}
            >
              Discard
            </Button>
            <Button type="submit" loading={replace.isPending} disabled={!canSave}>
              Save
            </Button>
          </>
        )
      }
    >
      {status.kind === 'unprotected' ? (
        <Notice
          tone="warn"
          title="No longer protected"
          actions={
            <>
              <Button variant="default" loading={protect.isPending} onClick={protectAgain}>
                Protect it again
              </Button>
              <Button
                variant="default"
                onClick={() => {
                  setSession(undefined);
                  onClosed();
                }}
              >
                Close
              </Button>
            </>
          }
        >
          The protection of {name} was removed elsewhere. These were its rules.
        </Notice>
      ) : null}
      {status.kind === 'conflict' ? (
        <Collisions
          collisions={status.collisions}
          onDecide={(collision, keep) => setSession(decide(followed, collision, keep))}
        />
      ) : null}
      {status.kind === 'current' && isChanged && followed.merged.length > 0 ? (
        <Notice title="Merged with a change made elsewhere">
          <div>{followed.merged.join(' ')}</div>
          <div>Your unsaved changes are applied on top of it.</div>
        </Notice>
      ) : null}
      <RulePicker
        label={deployLabel}
        owner={owner}
        chosen={deployRules}
        onPick={(rule) => edit([...deployRules, rule, ...approvals])}
      />
      <RuleList
        label={deployLabel}
        empty="Only administrators."
        before={deployBefore}
        rules={deployRules}
        ofGroup={projectId === undefined}
        onChange={(edited) => edit([...edited, ...approvals])}
      />
      <ApprovalRules
        owner={owner}
        before={approvalsBefore}
        rules={approvals}
        guardedTags={isStaged ? guardedTags : null}
        isForTags={isForTags}
        areAll={projectId !== undefined && above.every((protection) => protection.approvalRules.length === 0)}
        onChange={(edited) => edit([...deployRules, ...edited])}
      />
      {above.map((protection) => (
        <InheritedRules key={protection.id} protection={protection} />
      ))}
      {failure ? <ErrorNotice title="The rules could not be saved" error={failure} /> : null}
      {protect.error ? <ErrorNotice title="The environment could not be protected" error={protect.error} /> : null}
    </EditorFrame>
  );
}
