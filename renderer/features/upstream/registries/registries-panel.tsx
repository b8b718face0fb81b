import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import {
  IconBox,
  IconCloudPlus,
  IconPencil,
  IconPlugConnected,
  IconPlus,
  IconPower,
  IconTrash,
} from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import type { Upstream } from '../../../../server/contract/upstream.ts';
import { useCall } from '../../../api/call.ts';
import { useOffline, useUpstreams } from '../../../api/upstream.ts';
import { ask, quoted } from '../../../ui/feedback/ask.tsx';
import { actionsColumn } from '../../../ui/lists/columns.tsx';
import { EmptyState } from '../../../ui/feedback/empty-state.tsx';
import { ListPanel } from '../../../ui/lists/list-panel.tsx';
import type { RowAction } from '../../../ui/lists/row-menu.tsx';
import { ClaimsDialog } from './claims-dialog.tsx';
import { registryColumns } from './registry-columns.tsx';
import { RegistryDialog } from './registry-dialog.tsx';
import { emptyRegistry, publicNpm, type RegistryDraft } from './registry-draft.ts';

const testResult = 'registry-test';

/** The registries that packages come from and go to. */
export function RegistriesPanel() {
  const { data: list, error } = useUpstreams();
  const isOffline = useOffline().data?.mode === 'on';
  const navigate = useNavigate();
  const [editing, setEditing] = useState<Upstream | RegistryDraft>();
  const [claiming, setClaiming] = useState(false);
  const { mutate: test } = useCall('upstream.test');
  const { mutate: update } = useCall('upstream.update');
  const { mutate: remove } = useCall('upstream.remove');
  // What a registry answered is out of date once it is not asked any more.
  useEffect(() => {
    if (isOffline) notifications.hide(testResult);
  }, [isOffline]);
  const runTest = ({ id, name }: Upstream) =>
    test(
      { upstreamId: id },
      {
        onSuccess: ({ ok, message }) => {
          notifications.hide(testResult);
          notifications.show({
            id: testResult,
            color: ok ? 'verdigris' : 'red',
            title: ok ? name : `${quoted(name)} ${isOffline ? 'was not tested' : 'failed the test'}`,
            message,
          });
        },
      },
    );
  const confirmRemove = ({ id, name, kind }: Upstream) =>
    ask({
      title: `Remove ${quoted(name)}?`,
      consequence: `Its cached packages are deleted here and can no longer be installed.${kind === 'archive' ? '' : ' Nothing changes on its server.'}`,
      action: 'Remove',
      run: () => remove({ upstreamId: id }),
    });
  const actionsOf = (upstream: Upstream): RowAction[] => {
    const own: RowAction[] = [
      {
        label: 'Show cached packages',
        icon: IconBox,
        run: () => void navigate({ to: '/upstream', search: { tab: 'cache', of: upstream.id } }),
      },
      { label: 'Remove…', icon: IconTrash, danger: true, startsGroup: true, run: () => confirmRemove(upstream) },
    ];
    if (upstream.kind === 'archive') return own;
    const { enabled } = upstream;
    return [
      { label: 'Test', icon: IconPlugConnected, run: () => runTest(upstream) },
      { label: 'Edit…', icon: IconPencil, run: () => setEditing(upstream) },
      {
        label: enabled ? 'Disable' : 'Enable',
        icon: IconPower,
        run: () => update({ upstreamId: upstream.id, enabled: !enabled }),
      },
      ...own,
    ];
  };
  return (
    <>
      {list?.length === 0 ? (
        <EmptyState
          icon={<IconCloudPlus size={22} />}
          title="Install everything from here, with or without a network"
          text="Packages that are not published here are fetched from the registries that you add, and cached for offline installs. Until you add one, nothing is fetched."
          action={
            <div className="gh-row">
              <Button data-command="new" onClick={() => setEditing(publicNpm)}>
                Fetch from npm…
              </Button>
              <Button variant="default" onClick={() => setEditing(emptyRegistry)}>
                Fetch from another registry…
              </Button>
            </div>
          }
        />
      ) : (
        <ListPanel
          bar={
            <>
              <span className="gh-muted">Packages of these scopes are fetched when they are not published here.</span>
              <span className="gh-spacer" />
              <Button variant="default" onClick={() => setClaiming(true)}>
                Internal names…
              </Button>
              <Button
                data-command="new"
                leftSection={<IconPlus size={14} aria-hidden="true" />}
                onClick={() => setEditing(emptyRegistry)}
              >
                Add a registry
              </Button>
            </>
          }
          what="the registries"
          error={error}
          empty="No registries yet"
          label="Registries"
          rows={list}
          columns={[...registryColumns(list ?? []), actionsColumn<Upstream>((upstream) => upstream.name, actionsOf)]}
          rowKey={(upstream) => upstream.id}
          rowHeight={52}
          onOpen={(upstream) => {
            if (upstream.kind !== 'archive') setEditing(upstream);
          }}
        />
      )}
      {editing === undefined ? null : (
        <RegistryDialog
          registry={editing}
          onClose={() => setEditing(undefined)}
          onSaved={(saved) => {
            setEditing(undefined);
            if (saved.enabled && !isOffline) runTest(saved);
          }}
        />
      )}
      {claiming ? <ClaimsDialog onClose={() => setClaiming(false)} /> : null}
    </>
  );
}
