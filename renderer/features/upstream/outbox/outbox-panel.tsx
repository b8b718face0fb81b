import { Button } from '@mantine/core';
import { IconCloudDownload, IconSend } from '@tabler/icons-react';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useMemo, useState, type ReactNode } from 'react';
import type { OutboxWaiting } from '../../../../server/contract/outbox.ts';
import type { Upstream } from '../../../../server/contract/upstream.ts';
import { useProjects } from '../../../api/directory.ts';
import { usePackages } from '../../../api/packages.ts';
import { useOutbox, useUpstreams, useWaiting } from '../../../api/upstream.ts';
import { EmptyState } from '../../../ui/feedback/empty-state.tsx';
import { Pending } from '../../../ui/feedback/pending.tsx';
import { IdSelect } from '../../../ui/forms/id-select.tsx';
import { RowMenu } from '../../../ui/lists/row-menu.tsx';
import { AddRegistryButton } from '../add-registry-button.tsx';
import { usePushOriginPaths } from '../registries/push-origin-field.tsx';
import { RegistryDialog } from '../registries/registry-dialog.tsx';
import { scopeSelector } from '../selector-field.tsx';
import { HandOverDialog } from './hand-over-dialog.tsx';
import { OutboxChanges } from './outbox-changes.tsx';
import { fewOf } from '../../../ui/text/format.ts';
import { fullySentPackages, sendingLine } from './outbox-text.ts';

/** Sends what was published and changed here to another registry. */
export function OutboxPanel() {
  const { of, package: first } = useSearch({ from: '/upstream' });
  const pack = usePackages().data?.find(({ name }) => name === first);
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
      <EmptyState
        icon={<IconSend size={22} />}
        title={`Send ${pack?.name ?? 'your packages'} to another registry`}
        text="Your packages, with their tags and deprecations, can be sent to GitLab, Verdaccio, npm or another Gatehouse."
        action={
          <AddRegistryButton
            toSend={pack ? { pushSelection: [pack.name], pushFrom: { projectIds: [pack.projectId] } } : {}}
          />
        }
      />
    );
  }
  return (
    <Outbox
      key={chosen.id}
      upstream={chosen}
      chooser={
        <IdSelect
          label="Registry"
          flex="0 1 320px"
          miw={0}
          options={targets.map((upstream) => ({ id: upstream.id, label: upstream.name }))}
          value={chosen.id}
          onChange={(id) => id !== null && void navigate({ search: { tab: 'outbox', of: id }, replace: true })}
        />
      }
    />
  );
}

/** The outbox of one registry: what waits and what was sent. */
function Outbox({ upstream, chooser }: { upstream: Upstream; chooser: ReactNode }) {
  const { id: upstreamId } = upstream;
  const status = useOutbox(upstreamId);
  const waiting = useWaiting(upstreamId);
  const { data: packages } = usePackages();
  const [editing, setEditing] = useState<'token' | 'pushUrl' | 'pushSelection'>();
  const [saved, setSaved] = useState(0);
  const [handingOver, setHandingOver] = useState<string[]>();
  const { pushSelection, pushFrom } = upstream;
  const sending = waiting.data ?? { selection: pushSelection, pushFrom };
  const what = useSendingText(sending);
  const fullySent = useMemo(() => {
    const changes = [...(waiting.data?.operations ?? []), ...(status.data?.operations ?? [])];
    return fullySentPackages(changes, new Set(packages?.map((pack) => pack.name)));
  }, [waiting.data, status.data, packages]);
  return (
    <>
      <div className="gh-panel-bar gh-outbox-bar">
        {chooser}
        <div className="gh-outbox-what">
          <div className="gh-muted">{sendingLine(what, upstream, waiting.data?.proposed === true)}</div>
        </div>
        <Button variant="default" onClick={() => setEditing('pushSelection')}>
          Edit…
        </Button>
        {fullySent.length === 0 ? null : (
          <RowMenu
            name={upstream.name}
            actions={[
              {
                label: `Take new versions from ${upstream.name}…`,
                icon: IconCloudDownload,
                run: () => setHandingOver(fullySent),
              },
            ]}
          />
        )}
      </div>
      {status.data && waiting.data ? (
        <OutboxChanges
          // A comparison says nothing of the registry with other settings.
          key={saved}
          upstream={upstream}
          status={status.data}
          waiting={waiting.data}
          what={what}
          onSetUp={setEditing}
        />
      ) : (
        <div className="gh-panel-body">
          <Pending what="the outbox" error={status.error ?? waiting.error} />
        </div>
      )}
      {handingOver === undefined ? null : (
        <HandOverDialog
          upstreamId={upstreamId}
          upstream={upstream.name}
          names={handingOver}
          onClose={() => setHandingOver(undefined)}
        />
      )}
      {editing === undefined ? null : (
        <RegistryDialog
          registry={
            editing === 'token'
              ? upstream
              : { ...upstream, pushSelection: [...sending.selection], pushFrom: sending.pushFrom }
          }
          about={editing}
          onClose={() => setEditing(undefined)}
          onSaved={() => {
            setSaved(saved + 1);
            setEditing(undefined);
          }}
        />
      )}
    </>
  );
}

/** What is sent, and from where, if there is more than one project here: "@acme/* from local/packages". */
function useSendingText({ selection, pushFrom }: Pick<OutboxWaiting, 'selection' | 'pushFrom'>): string {
  const paths = usePushOriginPaths(pushFrom);
  const { data: projects = [] } = useProjects();
  if (selection.length === 0) return '';
  const names = selection.includes('*') ? 'all packages' : fewOf(selection.map(scopeSelector), 3);
  return paths.length === 0 || projects.length === 1 ? names : `${names} from ${fewOf(paths, 3)}`;
}
