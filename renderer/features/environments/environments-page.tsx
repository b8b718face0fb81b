import { Box, Button, NavLink, SegmentedControl, Select } from '@mantine/core';
import { IconPlus, IconShieldLock, IconShieldOff, IconUsersGroup } from '@tabler/icons-react';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import type { TagGuardView } from '../../../server/contract/guards.ts';
import type { ProtectionOwner } from '../../../server/contract/environments.ts';
import { useGroups, useProjects } from '../../api/directory.ts';
import { useInheritedProtections, useProtectedEnvironments } from '../../api/environments.ts';
import { useServerStatus } from '../../api/overview.ts';
import { useGuards } from '../../api/guards.ts';
import { EmptyState } from '../../ui/feedback/empty-state.tsx';
import { formatCount } from '../../ui/text/format.ts';
import { Pending } from '../../ui/feedback/pending.tsx';
import { Page } from '../../ui/page/page.tsx';
import { isFocusLeft } from '../../ui/forms/use-first-focus.ts';
import { UnsavedMark } from '../../ui/feedback/unsaved-mark.tsx';
import { TailText } from '../../ui/text/tail-text.tsx';
import { namesDropdown } from '../../ui/theme/theme.ts';
import { UnprotectedGuards } from '../guards/tag-guards.tsx';
import { AccessGrid } from './access-grid.tsx';
import { InheritedRules } from './inherited-rules.tsx';
import { ProtectForm } from './protect-form.tsx';
import { draftsOf, ruleSummary } from './rule-draft.ts';
import { RuleEditor } from './rule-editor.tsx';
import { editKeyOf, useUnsavedEdits } from './unsaved-edits.ts';
import './environments.css';

/** Which environments of a project, or tiers in a group, are protected, and who may deploy to them. */
export function EnvironmentsPage() {
  const { project, groupId } = useSearch({ from: '/environments' });
  const projects = useProjects();
  const status = useServerStatus();
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
  const { name, group, view: wanted } = useSearch({ from: '/environments' });
  const view = projectId === undefined ? undefined : wanted;
  const navigate = useNavigate({ from: '/environments' });
  const environments = useProtectedEnvironments(owner);
  const unsaved = useUnsavedEdits();
  const inherited = useInheritedProtections(projectId).data ?? [];
  const { data: guards } = useGuards(projectId);
  /** The name that the form to protect an environment begins with, while it is shown. */
  const [creating, setCreating] = useState<string>();
  const list = environments.data;
  const guarding = guardingOnly(guards?.guards ?? [], list ?? []);
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
  const first = name === undefined && list?.length === 0 ? inherited[0] : undefined;
  const shown =
    creating !== undefined
      ? undefined
      : (first ?? inherited.find((protection) => protection.group.id === group && protection.tier === name));
  const selected =
    creating !== undefined || shown !== undefined ? undefined : (name ?? list?.[0]?.name ?? guarding[0]?.name);
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
      variant={creating === undefined ? 'filled' : 'default'}
      leftSection={<IconPlus size={14} aria-hidden="true" />}
      rightSection={creating === undefined && unsaved.has(editKeyOf(owner, '')) ? <UnsavedMark /> : null}
      onClick={() => {
        if (creating === undefined) setCreating('');
        else entries.current?.parentElement?.querySelector<HTMLElement>('form input')?.focus();
      }}
    >
      Protect an environment
    </Button>
  );

  return (
    <Page
      title="Environments"
      count={list && list.length > 0 ? `${formatCount(list.length)} protected` : undefined}
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
              value={view ?? 'rules'}
              onChange={(value) =>
                void navigate({
                  search: ({ view: _view, ...rest }) => (value === 'access' ? { ...rest, view: 'access' } : rest),
                  replace: true,
                })
              }
            />
          )}
          {list && !isEmpty && view === undefined ? protectButton : null}
        </>
      }
    >
      {view === undefined && projectId !== undefined ? <UnprotectedGuards projectId={projectId} /> : null}
      {view === 'access' && projectId !== undefined ? (
        <AccessGrid projectId={projectId} />
      ) : environments.error || list === undefined ? (
        <Pending what="the environments" error={environments.error} />
      ) : isEmpty ? (
        <EmptyState
          icon={<IconShieldLock size={24} />}
          title="No protected environments"
          text={
            projectId === undefined
              ? 'A group protects a tier, such as production, in all of its projects at once.'
              : 'Protect an environment, such as production, to choose who may deploy to it. Until then, the Developer role is enough.'
          }
          action={protectButton}
        />
      ) : (
        <div className="gh-environments">
          <nav ref={entries} className="gh-environment-list" aria-label="Protected environments">
            {list.length === 0 && inherited.length === 0 ? (
              <div className="gh-environment-heading">Nothing is protected yet.</div>
            ) : null}
            {list.map((environment) => (
              <Entry
                key={environment.name}
                icon={<IconShieldLock size={17} aria-hidden="true" />}
                name={environment.name}
                description={ruleSummary(draftsOf(environment))}
                unsaved={unsaved.has(editKeyOf(owner, environment.name))}
                active={environment.name === selected}
                onClick={() => open(environment.name)}
              />
            ))}
            {inherited.length === 0 ? null : <h2 className="gh-environment-heading">From groups</h2>}
            {inherited.map((protection) => (
              <Entry
                key={protection.id}
                icon={<IconUsersGroup size={17} aria-hidden="true" />}
                name={protection.tier}
                description={`${protection.group.fullPath}: ${ruleSummary(draftsOf(protection))}`}
                active={protection === shown}
                onClick={() => open(protection.tier, protection.group.id)}
              />
            ))}
            {guarding.length === 0 ? null : <h2 className="gh-environment-heading">Not protected here</h2>}
            {guarding.map(({ name: guardingName, patterns }) => (
              <Entry
                key={guardingName}
                icon={<IconShieldOff size={17} className="gh-faint" aria-hidden="true" />}
                name={guardingName}
                description={`Guards the ${patterns.length === 1 ? 'tag' : 'tags'} ${patterns.join(', ')}`}
                active={guardingName === selected}
                onClick={() => open(guardingName)}
              />
            ))}
          </nav>
          {creating !== undefined ? (
            <ProtectForm
              owner={owner}
              name={creating}
              existing={list}
              inherited={inherited}
              onProtected={(added) => {
                justProtected.current = added;
                open(added);
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
    </Page>
  );
}

/** Leads to the environments of another project or group. */
function OwnerSelect({ owner }: { owner: ProtectionOwner }) {
  const { data: projects = [] } = useProjects();
  const { data: groups = [] } = useGroups();
  const navigate = useNavigate({ from: '/environments' });
  if (projects.length + groups.length <= 1) return null;
  const options = (kind: string, each: readonly { id: number; fullPath: string }[]) =>
    each.map(({ id, fullPath }) => ({ value: `${kind} ${id}`, label: fullPath }));
  return (
    <Select
      {...namesDropdown}
      aria-label="Project or group"
      w={200}
      leftSection={'groupId' in owner ? <IconUsersGroup size={15} aria-hidden="true" /> : null}
      searchable={projects.length + groups.length > 8}
      nothingFoundMessage="No match"
      allowDeselect={false}
      data={[
        { group: 'Projects', items: options('project', projects) },
        { group: 'Groups', items: options('group', groups) },
      ]}
      value={'projectId' in owner ? `project ${owner.projectId}` : `group ${owner.groupId}`}
      onChange={(value) => {
        const [kind, id] = (value ?? '').split(' ');
        void navigate({ search: kind === 'group' ? { groupId: Number(id) } : { project: Number(id) } });
      }}
    />
  );
}

/** Environments that guard tags without a protection of the project's own. */
function guardingOnly(
  guards: readonly TagGuardView[],
  protectedOnes: readonly { name: string }[],
): { name: string; patterns: string[] }[] {
  const names = new Set(guards.map(({ environment }) => environment));
  return [...names]
    .filter((name) => !protectedOnes.some((each) => each.name === name))
    .map((name) => ({
      name,
      patterns: guards.filter(({ environment }) => environment === name).map(({ pattern }) => pattern),
    }));
}

interface EntryProps {
  icon: ReactNode;
  name: string;
  description: string;
  unsaved?: boolean;
  active: boolean;
  onClick: () => void;
}

function Entry({ icon, name, description, unsaved = false, active, onClick }: EntryProps) {
  const entry = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (active) entry.current?.scrollIntoView({ block: 'nearest' });
  }, [active]);
  return (
    <NavLink
      ref={entry}
      component="button"
      type="button"
      noWrap
      active={active}
      aria-current={active}
      leftSection={icon}
      label={<TailText text={name} tail={14} />}
      description={<TailText text={description} tail={6} />}
      rightSection={unsaved ? <UnsavedMark /> : null}
      className="gh-environment"
      classNames={{ label: 'gh-environment-label', section: 'gh-environment-icon' }}
      onClick={onClick}
    />
  );
}
