import { Button } from '@mantine/core';
import { IconInbox } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useProjects } from '../../api/directory.ts';
import { useAllProtectedEnvironments } from '../../api/environments.ts';
import { useAllGuards } from '../../api/guards.ts';
import { EmptyState } from '../../ui/feedback/empty-state.tsx';
import { Pending } from '../../ui/feedback/pending.tsx';
import { actOnceShown, type Control } from '../../ui/page/reach.ts';

const none: readonly [] = [];

/** In place of an empty inbox: what comes here with the guards as they are now, and the way to what is missing for that. */
export function EmptyInbox() {
  const { data: projects = none, isPending, error } = useProjects();
  const guards = useAllGuards(projects);
  const environments = useAllProtectedEnvironments(projects, none);
  const navigate = useNavigate();
  if (error || isPending || guards.isPending || environments.isPending) {
    return <Pending what="the inbox" error={error} />;
  }
  const { text, onlyStaged, next } = sourceOf(guards.list, environments.list);
  return (
    <EmptyState
      icon={<IconInbox size={24} />}
      title="Nothing waits for approval"
      text={
        <>
          {text} {onlyStaged ? 'Only versions' : 'Versions'} from <code>npm stage publish</code> wait here
          {onlyStaged ? '.' : ', too.'}
        </>
      }
      action={
        next === undefined ? undefined : (
          <Button
            variant="default"
            onClick={() =>
              void navigate({ to: '/environments', search: next.search }).then(() => actOnceShown(next.control))
            }
          >
            {next.label}
          </Button>
        )
      }
    />
  );
}

interface NextStep {
  label: string;
  search: { project?: number; name?: string };
  /** What is pressed there. */
  control: Control;
}

/** What guards send here, as sentences, and what to do so that they send more. */
function sourceOf(
  guards: ReturnType<typeof useAllGuards>['list'],
  environments: ReturnType<typeof useAllProtectedEnvironments>['list'],
): { text: ReactNode; onlyStaged?: boolean; next?: NextStep } {
  const refusing = guards.filter(({ onRefusal }) => onRefusal === 'refuse');
  const [refused] = refusing;
  const who = 'When a user who may not deploy publishes to a guarded tag or moves it,';
  if (refused !== undefined) {
    const onlyStaged = refusing.length === guards.length;
    return {
      text: onlyStaged
        ? `${who} that fails with an error.`
        : `${who} that waits here. In ${refused.project.fullPath} it fails with an error.`,
      onlyStaged,
      next: {
        label: 'Let them wait here…',
        search: { project: refused.project.id, name: refused.environment },
        control: 'refusals',
      },
    };
  }
  if (guards.length > 0) return { text: `${who} that waits here.` };
  const [environment] = environments;
  const latest = (
    <>
      <code>latest</code>.
    </>
  );
  const then = 'What users who may not deploy publish to it can then wait here.';
  if (environment === undefined) {
    return {
      text: (
        <>
          Protect an environment and guard a tag with it, such as {latest} {then}
        </>
      ),
      next: { label: 'Protect an environment', search: {}, control: 'new' },
    };
  }
  const { owner, name } = environment;
  return {
    text: (
      <>
        Guard a tag, such as {latest} {then}
      </>
    ),
    next: {
      label: 'Guard a tag…',
      search: { ...('projectId' in owner && { project: owner.projectId }), name },
      control: 'guard',
    },
  };
}
