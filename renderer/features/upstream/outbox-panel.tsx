import { Button, Select } from '@mantine/core';
import { IconSend } from '@tabler/icons-react';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useUpstreams } from '../../api/upstream.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Pending } from '../../ui/pending.tsx';
import { OutboxOf } from './outbox-of.tsx';

/** Carries what was published and changed here to another registry. */
export function OutboxPanel() {
  const { of } = useSearch({ from: '/upstream' });
  const navigate = useNavigate({ from: '/upstream' });
  const upstreams = useUpstreams();
  if (upstreams.data === undefined) return <Pending what="the registries" error={upstreams.error} />;
  const targets = upstreams.data.filter((upstream) => upstream.kind !== 'archive');
  const chosen =
    targets.find((upstream) => upstream.id === of) ??
    targets.find((upstream) => upstream.pushSelection.length > 0) ??
    targets[0];
  if (chosen === undefined) {
    return (
      <div className="gh-page-body gh-scroll">
        <EmptyState
          icon={<IconSend size={22} />}
          title="Carry your work to another registry"
          text="What is published, tagged, deprecated and unpublished here can be repeated at a GitLab, a Verdaccio, npm or another Gatehouse: in order, each change once, after a look at what would happen."
          action={
            <Button variant="default" onClick={() => void navigate({ search: { tab: 'registries' } })}>
              Add a registry
            </Button>
          }
        />
      </div>
    );
  }
  return (
    <OutboxOf
      key={chosen.id}
      upstream={chosen}
      chooser={
        <Select
          label="To"
          w={150}
          allowDeselect={false}
          data={targets.map((upstream) => ({ value: String(upstream.id), label: upstream.name }))}
          value={String(chosen.id)}
          onChange={(value) =>
            value !== null && void navigate({ search: { tab: 'outbox', of: Number(value) }, replace: true })
          }
        />
      }
    />
  );
}
