import { Button, SegmentedControl, Select } from '@mantine/core';
import { IconPlus, IconShieldLock } from '@tabler/icons-react';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { useProjects } from '../../api/directory.ts';
import { useProtectedEnvironments } from '../../api/environments.ts';
import { useServerStatus } from '../../api/server.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { formatCount } from '../../ui/format.ts';
import { Pending } from '../../ui/pending.tsx';
import { Page } from '../../ui/page.tsx';
import { TailText } from '../../ui/tail-text.tsx';
import { AccessGrid } from './access-grid.tsx';
import { ProtectForm } from './protect-form.tsx';
import { draftsOf, ruleSummary } from './rule-draft.ts';
import { RuleEditor } from './rule-editor.tsx';
import './environments.css';

/** Which environments of a project are protected, and who may deploy to them. */
export function EnvironmentsPage() {
  const { project } = useSearch({ from: '/environments' });
  const projects = useProjects();
  const status = useServerStatus();
  const projectId = project ?? status.data?.defaultProject?.id ?? projects.data?.[0]?.id;
  const error = projects.error ?? status.error;
  if (error !== null || projects.data === undefined || status.data === undefined) {
    return (
      <Page title="Environments">
        <Pending what="the projects" error={error} />
      </Page>
    );
  }
  if (projectId === undefined) {
    return (
      <Page title="Environments">
        <EmptyState
          icon={<IconShieldLock size={24} />}
          title="No project yet"
          text="Environments belong to a project, and this registry has none."
        />
      </Page>
    );
  }
  return <ProjectEnvironments key={projectId} projectId={projectId} />;
}

function ProjectEnvironments({ projectId }: { projectId: number }) {
  const { name, view } = useSearch({ from: '/environments' });
  const navigate = useNavigate({ from: '/environments' });
  const { data: projects = [] } = useProjects();
  const environments = useProtectedEnvironments(projectId);
  const [creating, setCreating] = useState(false);
  const list = environments.data;
  const open = (next: string | undefined) => {
    setCreating(false);
    void navigate({
      search: (before) => ({
        ...(before.project === undefined ? {} : { project: before.project }),
        ...(next === undefined ? {} : { name: next }),
      }),
      replace: true,
    });
  };
  const selected = creating ? undefined : (name ?? list?.[0]?.name);

  return (
    <Page
      title="Environments"
      count={list && list.length > 0 ? `${formatCount(list.length)} protected` : undefined}
      padded={false}
      actions={
        <>
          {projects.length > 1 ? (
            <Select
              aria-label="Project"
              searchable
              allowDeselect={false}
              w={200}
              data={projects.map((project) => ({ value: String(project.id), label: project.fullPath }))}
              value={String(projectId)}
              onChange={(value) => void navigate({ search: value === null ? {} : { project: Number(value) } })}
            />
          ) : null}
          <SegmentedControl
            aria-label="View"
            data={[
              { value: 'rules', label: 'Rules' },
              { value: 'access', label: 'Who may deploy' },
            ]}
            value={view ?? 'rules'}
            onChange={(value) =>
              void navigate({
                search: (before) => {
                  const { view: _view, ...rest } = before;
                  return value === 'access' ? { ...rest, view: 'access' } : rest;
                },
                replace: true,
              })
            }
          />
          {list && list.length > 0 && view === undefined ? (
            <Button leftSection={<IconPlus size={14} aria-hidden="true" />} onClick={() => setCreating(true)}>
              Protect an environment
            </Button>
          ) : null}
        </>
      }
    >
      {view === 'access' ? (
        <AccessGrid projectId={projectId} />
      ) : environments.error || list === undefined ? (
        <Pending what="the environments" error={environments.error} />
      ) : list.length === 0 && !creating && selected === undefined ? (
        <EmptyState
          icon={<IconShieldLock size={24} />}
          title="No protected environments"
          text="Until an environment is protected, everyone with the Developer role may deploy to it. Protect production, say who may deploy, and the API and this window both hold to it."
          action={
            <Button leftSection={<IconPlus size={14} aria-hidden="true" />} onClick={() => setCreating(true)}>
              Protect an environment
            </Button>
          }
        />
      ) : (
        <div className="gh-environments">
          <nav className="gh-environment-list gh-scroll" aria-label="Protected environments">
            {list.map((environment) => (
              <button
                key={environment.name}
                type="button"
                className="gh-environment-item"
                aria-current={environment.name === selected}
                onClick={() => open(environment.name)}
              >
                <IconShieldLock size={17} aria-hidden="true" />
                <strong className="gh-truncate">
                  <TailText text={environment.name} tail={14} />
                </strong>
                <span className="gh-truncate">{ruleSummary(draftsOf(environment.rules))}</span>
              </button>
            ))}
          </nav>
          {creating ? (
            <ProtectForm projectId={projectId} existing={list} onProtected={open} onCancel={() => setCreating(false)} />
          ) : selected === undefined ? null : (
            <RuleEditor
              key={selected}
              projectId={projectId}
              name={selected}
              environment={list.find((environment) => environment.name === selected)}
              onClosed={() => open(undefined)}
            />
          )}
        </div>
      )}
    </Page>
  );
}
