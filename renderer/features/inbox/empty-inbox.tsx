import { Button } from '@mantine/core';
import { IconInbox } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useProjects } from '../../api/directory.ts';
import { useAllGuards } from '../../api/guards.ts';
import { useServerStatus } from '../../api/overview.ts';
import { EmptyState } from '../../ui/feedback/empty-state.tsx';
import { Pending } from '../../ui/feedback/pending.tsx';
import { actOnceShown } from '../../ui/page/reach.ts';
import { RequireApprovalDialog } from '../guards/require-approval-dialog.tsx';

const none: readonly [] = [];

/** In place of an empty inbox: what comes here with the guards as they are now, and the way to more. */
export function EmptyInbox() {
  const { data: projects = none, isPending, error } = useProjects();
  const { data: status } = useServerStatus();
  const guards = useAllGuards(projects);
  const navigate = useNavigate();
  const [isRequiring, setRequiring] = useState(false);
  if (error || isPending || guards.isPending) return <Pending what="the inbox" error={error} />;
  const refusing = guards.list.filter(({ onRefusal }) => onRefusal === 'refuse');
  const [refused] = refusing;
  const onlyStaged = refusing.length === guards.list.length;
  const isDefault = ({ id }: { id: number }) => id === status?.defaultProject?.id;
  return (
    <>
      <EmptyState
        icon={<IconInbox size={24} />}
        title="Nothing waits for approval"
        text={
          guards.list.length === 0 ? (
            <>
              Publishing to a tag such as <code>latest</code>, or moving it, can require approval. Until somebody
              approves, it waits here.
            </>
          ) : (
            <>
              {onlyStaged
                ? 'Publishing to a guarded tag fails with an error.'
                : 'Publishing to a tag that requires approval, or moving it, waits here until somebody approves.'}
              {refused === undefined || onlyStaged ? '' : ` In ${refused.project.fullPath} it fails with an error.`}
              {onlyStaged ? (
                <>
                  {' '}
                  Only versions from <code>npm stage publish</code> wait here.
                </>
              ) : null}
            </>
          )
        }
        action={
          refused !== undefined ? (
            <Button
              variant="default"
              onClick={() =>
                void navigate({
                  to: '/environments',
                  search: { project: refused.project.id, view: 'tags' },
                }).then(() => actOnceShown('refusals'))
              }
            >
              Let them wait here…
            </Button>
          ) : guards.list.length > 0 || projects.length === 0 ? undefined : (
            <Button variant="default" onClick={() => setRequiring(true)}>
              Require approval…
            </Button>
          )
        }
      />
      {isRequiring ? (
        <RequireApprovalDialog
          projects={[...projects.filter(isDefault), ...projects.filter((project) => !isDefault(project))]}
          onClose={() => setRequiring(false)}
        />
      ) : null}
    </>
  );
}
