import { Box, Button, Group, SegmentedControl } from '@mantine/core';
import { IconPlus, IconShieldLock } from '@tabler/icons-react';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import type { ProtectionOwner } from '../../../server/contract/environments.ts';
import { useProjects } from '../../api/directory.ts';
import { useInheritedProtections, useProtectedEnvironments } from '../../api/environments.ts';
import { useServerStatus } from '../../api/overview.ts';
import { useGuards } from '../../api/guards.ts';
import { EmptyState } from '../../ui/feedback/empty-state.tsx';
import { formatCount } from '../../ui/text/format.ts';
import { Pending } from '../../ui/feedback/pending.tsx';
import { Page } from '../../ui/page/page.tsx';
import { actOnceShown } from '../../ui/page/reach.ts';
import { isFocusLeft } from '../../ui/forms/use-first-focus.ts';
import { UnsavedMark } from '../../ui/feedback/unsaved-mark.tsx';
import { RequireApprovalDialog } from '../guards/require-approval-dialog.tsx';
import { GuardedTags } from '../guards/guarded-tags.tsx';
import { UnprotectedGuards } from '../guards/unprotected-guards.tsx';
import { AccessGrid } from './access-grid.tsx';
import { EnvironmentList, sortEnvironments } from './environment-list.tsx';
import { InheritedRules } from './inherited-rules.tsx';
import { OwnerSelect } from './owner-select.tsx';
import { ProtectForm } from './protect-form.tsx';
import { RuleEditor } from './rule-editor.tsx';
import { editKeyOf, useUnsavedEdits } from './unsaved-edits.ts';
import './environments.css';

/** Which environments of a project, or tiers in a group, are protected, and who may deploy to them. */
export function EnvironmentsPage() {
  const { project, groupId } = useSearch({ from: '/environments' });
  const projects = useProjects();
  const status = useServerStatus();
  const navigate = useNavigate();
  const projectId = project ?? status.data?.defaultProject?.id ?? projects.data?.[0]?.id;
  const error = projects.error ?? status.error;
  if (groupId !== undefined) return <OwnEnvironments key={`group ${groupId}`} owner={{ groupId }} />;
  if (error !== null || projects.data === undefined || status.data === undefined || projectId === undefined) {
    return (
      <Page title="Environments">
        {error === null && projects.data?.length === 0 ? (
          <EmptyState
            icon={<IconShieldLock size={24} />}
            title="No project yet"
            text="Environments belong to a project, and this registry has none."
            action={
              <Button
                onClick={() =>
                  void navigate({ to: '/people', search: { tab: 'projects' } }).then(() => actOnceShown('new'))
                }
              >
                Add a project
              </Button>
            }
          />
        ) : (
          <Pending what="the projects" error={error} />
        )}
      </Page>
    );
  }
  return <OwnEnvironments key={projectId} owner={{ projectId }} />;
}

function OwnEnvironments({ owner }: { owner: ProtectionOwner }) {
  const projectId = 'projectId' in owner ? owner.projectId : undefined;
  const { name, group, user, environment, view: wanted } = useSearch({ from: '/environments' });
  const view = projectId === undefined ? undefined : wanted;
  const navigate = useNavigate({ from: '/environments' });
  const environments = useProtectedEnvironments(owner);
  const unsaved = useUnsavedEdits();
  const inherited = useInheritedProtections(projectId).data ?? [];
  const { data: guards, error: guardsError, isLoading } = useGuards(projectId);
  const project = useProjects().data?.find(({ id }) => id === projectId);
  /** The name that the form to protect an environment begins with, while it is shown. */
  const [creating, setCreating] = useState<string>();
  const [isRequiring, setRequiring] = useState(false);
  const list = environments.data;
  // Which of them are for tags alone is known by the guards.
  const failure = environments.error ?? guardsError;
  const { deployed, forTags, unprotected } = sortEnvironments(list ?? [], guards?.guards ?? []);
  const open = (next: string | undefined, ofGroup?: number) => {
    setCreating(undefined);
    void navigate({
      search: ({ project, groupId }) => ({
        ...(project && { project }),
        ...(groupId && { groupId }),
        ...(next && { name: next }),
        ...(ofGroup && { group: ofGroup }),
      }),
      replace: true,
    });
  };
  const first = name === undefined && list !== undefined && deployed.length === 0 ? inherited[0] : undefined;
  const shown =
    creating !== undefined
      ? undefined
      : (first ?? inherited.find((protection) => protection.group.id === group && protection.tier === name));
  const isChosen = creating !== undefined || shown !== undefined;
  const selected = isChosen ? undefined : (name ?? deployed[0]?.name ?? unprotected[0]);
  // Where nothing else is protected, the tags are all that there is.
  const areTagsShown =
    view === 'tags' || (view === undefined && !isChosen && selected === undefined && list?.length !== 0);
  const entries = useRef<HTMLElement>(null);
  const shownView = useRef(view);
  useEffect(() => {
    if (shownView.current === view) return;
    shownView.current = view;
    // What led here went with the other view.
    if (!isFocusLeft()) return;
    const entry = entries.current?.querySelector<HTMLElement>('[aria-current="true"]');
    (entry ?? document.querySelector<HTMLElement>('main h1'))?.focus();
  }, [view]);
  const justProtected = useRef<string>(undefined);
  const show = (next: 'access' | 'tags' | undefined) =>
    void navigate({ search: ({ view: _view, ...rest }) => ({ ...rest, ...(next && { view: next }) }), replace: true });
  const isListed = list?.some((environment) => environment.name === selected) === true;
  useEffect(() => {
    // The form is gone with its focused button; its environment may come into the list later.
    if (!isListed || justProtected.current !== selected) return;
    justProtected.current = undefined;
    entries.current?.querySelector<HTMLElement>('[aria-current="true"]')?.focus();
  }, [selected, isListed]);
  const isEmpty = list?.length === 0 && inherited.length === 0 && creating === undefined && selected === undefined;
  const protectButton = (
    <Button
      data-command="new"
      variant={creating === undefined || view !== undefined ? 'filled' : 'default'}
      leftSection={<IconPlus size={14} aria-hidden="true" />}
      rightSection={creating === undefined && unsaved.has(editKeyOf(owner, '')) ? <UnsavedMark /> : null}
      onClick={() => {
        if (creating !== undefined && view === undefined) {
          entries.current?.parentElement?.querySelector<HTMLElement>('form input')?.focus();
          return;
        }
        if (view !== undefined) open(undefined);
        setCreating(creating ?? '');
      }}
    >
      Protect an environment
    </Button>
  );
  return (
    <Page
      title="Environments"
      count={deployed.length > 0 ? `${formatCount(deployed.length)} protected` : undefined}
      padded={false}
      actions={
        <>
          <OwnerSelect owner={owner} />
          {projectId === undefined ? null : (
            <SegmentedControl
              aria-label="View"
              data={[
                { value: 'rules', label: 'Rules' },
                { value: 'access', label: 'Who may deploy' },
              ]}
              value={view === 'access' ? 'access' : 'rules'}
              onChange={(value) => show(value === 'access' ? value : undefined)}
            />
          )}
          {/* In both views, so that the switch beside it stays where it is. */}
          {list && (!isEmpty || view === 'tags') ? protectButton : null}
        </>
      }
    >
      {view === undefined && projectId !== undefined ? <UnprotectedGuards projectId={projectId} /> : null}
      {view === 'access' && projectId !== undefined ? (
        <AccessGrid
          projectId={projectId}
          chosen={{ user, environment: environment ?? name }}
          onChoose={(cell) => {
            if (cell.user === user && cell.environment === environment) return;
            void navigate({ search: (before) => ({ ...before, ...cell }), replace: true });
          }}
          action={isEmpty ? protectButton : null}
        />
      ) : failure || list === undefined || isLoading ? (
        <Pending what="the environments" error={failure} />
      ) : isEmpty && view === undefined ? (
        <EmptyState
          icon={<IconShieldLock size={24} />}
          title="No protected environments"
          text={
            projectId === undefined
              ? 'A group protects a tier, such as production, in all of its projects at once.'
              : 'Protect an environment, such as production, to choose who may deploy to it. Until then, the Developer role is enough.'
          }
          action={
            projectId === undefined ? (
              protectButton
            ) : (
              <Group gap={8}>
                {protectButton}
                <Button variant="default" onClick={() => setRequiring(true)}>
                  Require approval for a tag…
                </Button>
              </Group>
            )
          }
        />
      ) : (
        <div className="gh-environments">
          <EnvironmentList
            ref={entries}
            owner={owner}
            list={list}
            inherited={inherited}
            guards={guards?.guards ?? []}
            isStaged={guards?.onRefusal === 'stage'}
            active={view === undefined ? (shown ?? selected) : undefined}
            onOpen={open}
            areTagsOpen={areTagsShown || (view === undefined && forTags.some((each) => each.name === selected))}
            onOpenTags={projectId === undefined ? undefined : () => show('tags')}
          />
          {areTagsShown && projectId !== undefined ? (
            <GuardedTags projectId={projectId} onRequire={() => setRequiring(true)} />
          ) : creating !== undefined ? (
            <ProtectForm
              owner={owner}
              name={creating}
              existing={list}
              inherited={inherited}
              onProtected={(made) => {
                justProtected.current = made;
                open(made);
              }}
              onCancel={() => setCreating(undefined)}
            />
          ) : shown !== undefined ? (
            <div className="gh-editor-body">
              <Box maw="var(--gh-editor-width)">
                <InheritedRules protection={shown} isAlone />
              </Box>
            </div>
          ) : selected === undefined ? null : (
            <RuleEditor
              key={selected}
              owner={owner}
              name={selected}
              environment={list.find((environment) => environment.name === selected)}
              inherited={inherited}
              onProtect={setCreating}
              onClosed={() => open(undefined)}
            />
          )}
        </div>
      )}
      {isRequiring && project !== undefined ? (
        <RequireApprovalDialog
          projects={[project]}
          onRequired={() => show('tags')}
          onClose={() => setRequiring(false)}
        />
      ) : null}
    </Page>
  );
}
