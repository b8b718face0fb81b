import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconCloudPlus, IconPlus } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import type { Upstream } from '../../../server/contract/upstream.ts';
import { useCall } from '../../api/call.ts';
import { useUpstreams } from '../../api/upstream.ts';
import { ask } from '../../ui/ask.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Pending } from '../../ui/pending.tsx';
import { VirtualTable } from '../../ui/virtual-table.tsx';
import { registryColumns } from './registry-columns.tsx';
import { RegistryDialog } from './registry-dialog.tsx';
import { emptyRegistry, publicNpm, type RegistryDraft } from './registry-draft.ts';
import { ReservedDialog } from './reserved-dialog.tsx';

/** The registries that packages come from and go to. */
export function RegistriesPanel() {
  const upstreams = useUpstreams();
  const navigate = useNavigate();
  const [editing, setEditing] = useState<Upstream | RegistryDraft>();
  const [reserving, setReserving] = useState(false);
  const { mutate: test } = useCall('upstream.test');
  const { mutate: update } = useCall('upstream.update');
  const { mutate: remove } = useCall('upstream.remove');
  const columns = useMemo(
    () =>
      registryColumns({
        test: (upstream) => tellTest(upstream, test),
        edit: setEditing,
        showCached: (upstream) => void navigate({ to: '/upstream', search: { tab: 'cache', of: upstream.id } }),
        setEnabled: (upstream, enabled) => update({ upstreamId: upstream.id, enabled }),
        remove: (upstream) =>
          ask({
            title: `Remove ${upstream.name}?`,
            consequence:
              'What is kept of it goes as well, so it can no longer be installed from here. The registry itself stays as it is.',
            action: 'Remove',
            run: () => remove({ upstreamId: upstream.id }),
          }),
      }),
    [navigate, test, update, remove],
  );
  const list = upstreams.data;
  const dialogs = (
    <>
      {editing === undefined ? null : (
        <RegistryDialog
          registry={editing}
          onClose={() => setEditing(undefined)}
          onSaved={(saved) => {
            setEditing(undefined);
            if (saved.enabled) tellTest(saved, test);
          }}
        />
      )}
      {reserving ? <ReservedDialog onClose={() => setReserving(false)} /> : null}
    </>
  );
  if (list === undefined) return <Pending what="the registries" error={upstreams.error} />;
  if (list.length === 0) {
    return (
      <div className="gh-page-body gh-scroll">
        <EmptyState
          icon={<IconCloudPlus size={22} />}
          title="Install everything from here, with or without a network"
          text="Name another registry, and packages that are not here are fetched from it, verified, kept, and served from then on even offline. Packages published here always win, and their scopes are never asked elsewhere."
          action={
            <div className="gh-row">
              <Button onClick={() => setEditing(publicNpm)}>Add an npm registry</Button>
              <Button variant="default" onClick={() => setEditing(emptyRegistry)}>
                Add another
              </Button>
            </div>
          }
        />
        {dialogs}
      </div>
    );
  }
  return (
    <>
      <div className="gh-panel-bar">
        <span className="gh-muted gh-truncate">Asked for what is not here, the more precise scope first.</span>
        <span className="gh-spacer" />
        <Button variant="default" onClick={() => setReserving(true)}>
          Scopes kept here…
        </Button>
        <Button leftSection={<IconPlus size={14} aria-hidden="true" />} onClick={() => setEditing(emptyRegistry)}>
          Add a registry
        </Button>
      </div>
      <div className="gh-panel-body">
        <VirtualTable
          label="Registries"
          rows={list}
          columns={columns}
          rowKey={(upstream) => upstream.id}
          rowHeight={52}
          onOpen={(upstream) => {
            if (upstream.kind !== 'archive') setEditing(upstream);
          }}
        />
      </div>
      {dialogs}
    </>
  );
}

function tellTest(upstream: Upstream, test: ReturnType<typeof useCall<'upstream.test'>>['mutate']): void {
  test(
    { upstreamId: upstream.id },
    {
      onSuccess: ({ ok, message, milliseconds }) =>
        notifications.show({
          color: ok ? 'verdigris' : 'red',
          title: ok ? `${upstream.name} answers` : `${upstream.name} cannot be used yet`,
          message: ok ? `${message} It took ${milliseconds} ms.` : message,
        }),
    },
  );
}
