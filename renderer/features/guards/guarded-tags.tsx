import { ActionIcon, Anchor, Button, Group } from '@mantine/core';
import { IconLock, IconLockOpen, IconPencil } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { hasEffect, type TagGuardView } from '../../../server/contract/guards.ts';
import { useInheritedProtections, useProtectedEnvironments } from '../../api/environments.ts';
import { useGuards } from '../../api/guards.ts';
import { EmptyState } from '../../ui/feedback/empty-state.tsx';
import { Pending } from '../../ui/feedback/pending.tsx';
import { RemoveButton } from '../../ui/forms/remove-button.tsx';
import { guardPeople, type GuardPeople } from './guard-people.ts';
import { GuardDialog, RefusalsDialog } from './guard-dialog.tsx';
import { matchText, namesOneTag } from './matched-tags.tsx';
import { PublishPreviewDialog } from './publish-preview.tsx';
import { useRemoveGuard } from './use-remove-guard.tsx';
import '../../ui/lists/list.css';
import '../../ui/rules/rules.css';
import './guards.css';

interface GuardedTagsProps {
  projectId: number;
  /** Asked to require approval for another tag. */
  onRequire: () => void;
}

/** The dist-tags of a project that are guarded, and who approves what is published to each. */
export function GuardedTags({ projectId, onRequire }: GuardedTagsProps) {
  const { data, error } = useGuards(projectId);
  const environments = useProtectedEnvironments({ projectId });
  const { data: inherited = [] } = useInheritedProtections(projectId);
  const remove = useRemoveGuard(projectId);
  const [edited, setEdited] = useState<TagGuardView | 'refusals'>();
  const [previewed, setPreviewed] = useState<string>();
  const failure = error ?? environments.error;
  if (failure !== null || data === undefined || environments.data === undefined) {
    return <Pending what="the guarded tags" error={failure} />;
  }
  const isStaged = data.onRefusal === 'stage';
  const peopleOf = (guard: TagGuardView) => guardPeople(guard, environments.data ?? [], inherited);
  return (
    <>
      {data.guards.length === 0 ? (
        <EmptyState
          icon={<IconLock size={24} />}
          title="No tag requires approval"
          text={
            <>
              Publishing to a tag such as <code>latest</code>, or moving it, can require approval. Until somebody
              approves, it waits in the inbox.
            </>
          }
          action={<Button onClick={onRequire}>Require approval…</Button>}
        />
      ) : (
        <section className="gh-guarded-tags" aria-label="Tag approvals">
          <Group gap={12} wrap="nowrap" justify="space-between">
            <h2>Tag approvals</h2>
            <Button variant="default" flex="none" onClick={onRequire}>
              Require approval…
            </Button>
          </Group>
          <p>
            {isStaged
              ? 'Publishing to these tags, or moving them, waits in the inbox until somebody approves.'
              : 'Publishing to these tags, or moving them, fails with an error for everyone else.'}{' '}
            <Anchor
              component="button"
              type="button"
              underline="always"
              data-command="refusals"
              onClick={() => setEdited('refusals')}
            >
              Settings…
            </Anchor>
          </p>
          <ul className="gh-list" aria-label="Tags that require approval">
            {data.guards.map((guard) => (
              <GuardRow
                key={guard.id}
                projectId={projectId}
                guard={guard}
                isStaged={isStaged}
                who={hasEffect(guard) ? peopleText(peopleOf(guard), guard, isStaged) : ['No effect']}
                tags={data.tags}
                onEdit={() => setEdited(guard)}
                onRemove={() => remove(guard)}
              />
            ))}
          </ul>
          <Button
            variant="default"
            mt={8}
            onClick={() => setPreviewed(data.guards.find(namesOneTag)?.pattern ?? 'latest')}
          >
            Who may publish…
          </Button>
        </section>
      )}
      {edited === 'refusals' ? (
        <RefusalsDialog projectId={projectId} onRefusal={data.onRefusal} onClose={() => setEdited(undefined)} />
      ) : edited === undefined ? null : (
        <GuardDialog
          projectId={projectId}
          guard={edited}
          data={data}
          hasApprovalRules={peopleOf(edited).hasApprovalRules}
          onClose={() => setEdited(undefined)}
        />
      )}
      {previewed === undefined ? null : (
        <PublishPreviewDialog projectId={projectId} tag={previewed} onClose={() => setPreviewed(undefined)} />
      )}
    </>
  );
}

interface GuardRowProps {
  projectId: number;
  guard: TagGuardView;
  /** Who approves, and who may publish, in lines. */
  who: readonly string[];
  /** Whether publishes wait for approval instead of failing. */
  isStaged: boolean;
  /** Dist-tags of the project. */
  tags: readonly string[];
  onEdit: () => void;
  onRemove: () => void;
}

function GuardRow({ projectId, guard, who, isStaged, tags, onEdit, onRemove }: GuardRowProps) {
  const { pattern, environment, allowSelfApproval } = guard;
  const isEffective = hasEffect(guard);
  const what = isStaged ? 'approval for' : 'the guard of';
  const notes = [...matchText(pattern, tags), ...(allowSelfApproval ? ['Self-approval allowed'] : [])];
  return (
    <li>
      {isEffective ? (
        <IconLock size={16} className="gh-guard-lock" aria-hidden="true" />
      ) : (
        <IconLockOpen size={16} className="gh-faint" aria-hidden="true" />
      )}
      <div className="gh-rule-text">
        <strong className="gh-mono">{pattern}</strong>
        {who.map((line) => (
          <div key={line}>{line}</div>
        ))}
        <div className="gh-muted gh-small">
          {notes.map((note) => `${note} · `).join('')}
          {isEffective ? null : 'Not protected: '}
          <Link to="/environments" search={{ project: projectId, name: environment }}>
            {!isEffective ? environment : isStaged ? 'Change the approvers' : 'Change who may publish'}
          </Link>
        </div>
      </div>
      <ActionIcon aria-label={`Edit ${what} ${pattern}`} data-tip="Edit" onClick={onEdit}>
        <IconPencil size={15} />
      </ActionIcon>
      <RemoveButton label={`Remove ${what} ${pattern}`} onClick={onRemove} />
    </li>
  );
}

/** "Approvers: Maintainers and Ada Lovelace", and who publishes without approval. */
function peopleText(
  { deployers, approvers, hasApprovalRules }: GuardPeople,
  { deployersWait }: TagGuardView,
  isStaged: boolean,
): string[] {
  if (!isStaged) return [deployersWait ? 'Only administrators may publish' : `May publish: ${deployers}`];
  const exempt = deployersWait ? 'only administrators' : hasApprovalRules ? deployers : 'the approvers';
  return [`Approvers: ${approvers}`, `Publish without approval: ${exempt}`];
}
