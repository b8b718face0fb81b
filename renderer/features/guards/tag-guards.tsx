import { ActionIcon, Anchor, Button, Group } from '@mantine/core';
import { IconLock, IconLockOpen, IconPencil } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { Fragment, useState } from 'react';
import { hasEffect, type TagGuardView } from '../../../server/contract/guards.ts';
import { useProjects } from '../../api/directory.ts';
import { useGuards } from '../../api/guards.ts';
import { Notice } from '../../ui/feedback/notice.tsx';
import { RemoveButton } from '../../ui/forms/remove-button.tsx';
import { formatCount } from '../../ui/text/format.ts';
import { Section } from '../../ui/page/section.tsx';
import { GuardDialog, RefusalsDialog } from './guard-dialog.tsx';
import { matchText, namesOneTag } from './matched-tags.tsx';
import { RequireApprovalDialog } from './require-approval-dialog.tsx';
import { PublishPreviewDialog } from './publish-preview.tsx';
import { useRemoveGuard } from './use-remove-guard.tsx';
import '../../ui/rules/rules.css';
import './guards.css';

interface TagGuardsProps {
  projectId: number;
  environment: string;
  /** Opens another environment. */
  onOpen: (environment: string) => void;
}

/** The dist-tags that an environment guards, to bind more and to let them go. */
export function TagGuards({ projectId, environment, onOpen }: TagGuardsProps) {
  const { data } = useGuards(projectId);
  const { data: projects } = useProjects();
  const project = projects?.find(({ id }) => id === projectId) ?? { id: projectId, fullPath: '' };
  const remove = useRemoveGuard(projectId);
  const [edited, setEdited] = useState<TagGuardView | 'new' | 'refusals'>();
  const [previewed, setPreviewed] = useState<string>();
  if (data === undefined) return null;
  const guards = data.guards.filter((guard) => guard.environment === environment);
  const isStaged = data.onRefusal === 'stage';
  const isWithoutEffect = guards.length > 0 && !guards.some(hasEffect);
  return (
    <Section
      title="Guarded tags"
      text={
        guards.length === 0 ? (
          'No tag requires approval here yet.'
        ) : isWithoutEffect ? (
          'No effect until the environment is protected.'
        ) : (
          <>
            Versions published to these tags {isStaged ? 'wait for approval' : 'are refused'}, except those of{' '}
            {guards.every((guard) => guard.deployersWait) ? 'administrators' : `users who may deploy to ${environment}`}
            .{' '}
            <Anchor component="button" type="button" data-command="refusals" onClick={() => setEdited('refusals')}>
              Change…
            </Anchor>
          </>
        )
      }
    >
      {guards.length === 0 ? null : (
        <ul className="gh-list" aria-label={`Tags that ${environment} guards`}>
          {guards.map((guard) => (
            <li key={guard.id}>
              {hasEffect(guard) ? (
                <IconLock size={16} className="gh-guard-lock" aria-hidden="true" />
              ) : (
                <IconLockOpen size={16} className="gh-faint" aria-hidden="true" />
              )}
              <div className="gh-rule-text">
                <strong className="gh-mono">{guard.pattern}</strong>
                <div className="gh-muted gh-small">
                  {[
                    ...matchText(guard.pattern, data.tags),
                    ...(guard.deployersWait ? [`Approvers ${isStaged ? 'wait' : 'are refused'}, too`] : []),
                    ...(guard.allowSelfApproval ? ['Self-approval allowed'] : []),
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
              <RemoveButton label={`Remove the guard of ${guard.pattern}`} onClick={() => remove(guard)} />
            </li>
          ))}
        </ul>
      )}
      <Group gap={8} mt={8} align="end">
        <Button variant="default" onClick={() => setEdited('new')}>
          Require approval for a tag…
        </Button>
        {guards.length === 0 ? null : (
          <Button variant="default" onClick={() => setPreviewed(guards.find(namesOneTag)?.pattern ?? 'latest')}>
            Who may publish…
          </Button>
        )}
      </Group>
      {edited === 'refusals' ? (
        <RefusalsDialog projectId={projectId} onRefusal={data.onRefusal} onClose={() => setEdited(undefined)} />
      ) : edited === 'new' ? (
        <RequireApprovalDialog
          projects={[project]}
          environment={environment}
          onRequired={onOpen}
          onClose={() => setEdited(undefined)}
        />
      ) : edited === undefined ? null : (
        <GuardDialog projectId={projectId} guard={edited} data={data} onClose={() => setEdited(undefined)} />
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
  const open = data?.guards.filter((guard) => !hasEffect(guard)) ?? [];
  if (open.length === 0) return null;
  return (
    <div className="gh-unprotected-guards">
      <Notice tone="warn" title={open.length === 1 ? 'A guard without effect' : 'Guards without effect'}>
        {open.slice(0, 3).map(({ id, pattern, environment }) => (
          <Fragment key={id}>
            <strong>{pattern}</strong> is guarded by{' '}
            <Link to="/environments" search={{ project: projectId, name: environment }}>
              {environment}
            </Link>
            , which is not protected.{' '}
          </Fragment>
        ))}
        {open.length > 3 ? `${formatCount(open.length - 3)} more guards name unprotected environments. ` : ''}
        Everyone who may publish can move {open.length === 1 && open.every(namesOneTag) ? 'this tag' : 'these tags'}.
      </Notice>
    </div>
  );
}
