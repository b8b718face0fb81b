import { Anchor, Button, Group } from '@mantine/core';
import { IconLock, IconLockOpen } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { hasEffect, type TagGuardView } from '../../../server/contract/guards.ts';
import { useInheritedProtections, useProtectedEnvironments } from '../../api/environments.ts';
import { useGuards } from '../../api/guards.ts';
import { EmptyState } from '../../ui/feedback/empty-state.tsx';
import { Pending } from '../../ui/feedback/pending.tsx';
import { RemoveButton } from '../../ui/forms/remove-button.tsx';
import { administrators, guardPeople, type GuardPeople } from './guard-people.ts';
import { upperFirst } from '../../ui/text/format.ts';
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
              {isStaged ? 'Let it fail instead…' : 'Let it wait instead…'}
            </Anchor>
          </p>
          <ul className="gh-list" aria-label="Tags that require approval">
            {data.guards.map((guard) => (
              <GuardRow
                key={guard.id}
                projectId={projectId}
                guard={guard}
                isStaged={isStaged}
                people={peopleOf(guard)}
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
            Check who may publish…
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
  people: GuardPeople;
  /** Whether publishes wait for approval instead of failing. */
  isStaged: boolean;
  /** Dist-tags of the project. */
  tags: readonly string[];
  onEdit: () => void;
  onRemove: () => void;
}

/** What a guard does in lines, each with the way to change it. */
function GuardRow({ projectId, guard, people, isStaged, tags, onEdit, onRemove }: GuardRowProps) {
  const { pattern, environment, allowSelfApproval } = guard;
  const isEffective = hasEffect(guard);
  const notes = [...matchText(pattern, tags), ...(allowSelfApproval ? ['Self-approval allowed'] : [])];
  const { who, publishes } = linesOf(people, guard, isStaged);
  const toEnvironment = (text: string, label?: string) => (
    <Link to="/environments" search={{ project: projectId, name: environment }} aria-label={label}>
      {text}
    </Link>
  );
  return (
    <li>
      {isEffective ? (
        <IconLock size={16} className="gh-guard-lock" aria-hidden="true" />
      ) : (
        <IconLockOpen size={16} className="gh-faint" aria-hidden="true" />
      )}
      <div className="gh-rule-text">
        <strong className="gh-mono">{pattern}</strong>
        {isEffective ? (
          <>
            {who === '' ? null : (
              <div>
                {who}{' '}
                {isStaged
                  ? toEnvironment('Change approvers', `Change approvers of ${pattern}`)
                  : toEnvironment('Change', `Change who publishes ${pattern}`)}
              </div>
            )}
            <div>
              {publishes}{' '}
              <Anchor
                component="button"
                type="button"
                underline="always"
                aria-label={`Change what ${isStaged ? 'needs approval' : 'is refused'} for ${pattern}`}
                onClick={onEdit}
              >
                Change…
              </Anchor>
            </div>
          </>
        ) : (
          <div>No effect</div>
        )}
        <div className="gh-muted gh-small">
          {notes.join(' · ')}
          {isEffective ? null : (
            <>
              {notes.length > 0 ? ' · ' : ''}Not protected: {toEnvironment(environment)}
            </>
          )}
        </div>
      </div>
      <RemoveButton label={`Remove ${isStaged ? 'approval for' : 'the guard of'} ${pattern}`} onClick={onRemove} />
    </li>
  );
}

/** Who approves, or publishes, as "Approvers: Maintainers and Ada Lovelace"; and what becomes of what they publish. */
function linesOf(
  { deployers, approvers, hasApprovalRules }: GuardPeople,
  { deployersWait }: TagGuardView,
  isStaged: boolean,
): { who: string; publishes: string } {
  if (!isStaged) {
    return deployersWait
      ? { who: '', publishes: 'Only administrators may publish.' }
      : { who: `May publish: ${deployers}`, publishes: 'Everyone else is refused.' };
  }
  const who = `Approvers: ${approvers}`;
  if (deployers === administrators) return { who, publishes: 'Only administrators publish without approval.' };
  const whose = hasApprovalRules ? upperFirst(deployers) : 'Approvers';
  return { who, publishes: `${whose} ${deployersWait ? 'need approval, too' : 'publish without approval'}.` };
}
