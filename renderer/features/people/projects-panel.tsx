import { useState } from 'react';
import type { ProjectDetail } from '../../../server/contract/directory.ts';
import { useCall } from '../../api/call.ts';
import { useGroups, useProjectDetails } from '../../api/directory.ts';
import { ask } from '../../ui/ask.tsx';
import { Moment } from '../../ui/moment.tsx';
import { RowMenu } from '../../ui/row-menu.tsx';
import type { Column } from '../../ui/virtual-table.tsx';
import { AccessDialog } from './access-dialog.tsx';
import { ContainerDialog } from './container-dialog.tsx';
import { PublishAgeDialog } from './publish-age-dialog.tsx';
import { Panel } from './panel.tsx';

/** The projects: what packages are published into and environments belong to. */
export function ProjectsPanel() {
  const projects = useProjectDetails();
  const groups = useGroups();
  const [editing, setEditing] = useState<ProjectDetail | 'new'>();
  const [opened, setOpened] = useState<ProjectDetail>();
  const [aging, setAging] = useState<ProjectDetail>();
  const create = useCall('directory.createProject', { handlesErrors: true });
  const update = useCall('directory.updateProject', { handlesErrors: true });
  const { mutate: remove } = useCall('directory.deleteProject');
  const close = () => {
    setEditing(undefined);
    create.reset();
    update.reset();
  };
  const columns = projectColumns({
    open: setOpened,
    setAge: setAging,
    edit: setEditing,
    remove: (project) =>
      ask({
        title: `Delete ${project.fullPath}?`,
        consequence: 'Its packages, environments and deploy rules go as well. This cannot be undone.',
        action: 'Delete',
        run: () => remove({ projectId: project.id }),
      }),
  });
  return (
    <>
      <Panel
        things="projects"
        rows={projects.data}
        error={projects.error}
        columns={columns}
        rowKey={(project) => project.id}
        textOf={(project) => `${project.name} ${project.fullPath} ${project.description}`}
        addLabel="Add a project"
        onAdd={() => setEditing('new')}
        onOpen={setOpened}
      />
      {editing === undefined ? null : (
        <ContainerDialog
          title={editing === 'new' ? 'Add a project' : `Edit ${editing.name}`}
          action={editing === 'new' ? 'Add project' : 'Save'}
          {...(editing === 'new' ? {} : { initial: { ...editing, parentId: editing.namespaceId } })}
          parents={groups.data ?? []}
          parentLabel="In the group"
          parentRequired
          busy={create.isPending || update.isPending}
          error={create.error ?? update.error}
          onClose={close}
          onSubmit={({ parentId, ...values }) => {
            if (editing !== 'new') update.mutate({ projectId: editing.id, ...values }, { onSuccess: close });
            else if (parentId !== null) create.mutate({ ...values, namespaceId: parentId }, { onSuccess: close });
          }}
        />
      )}
      {aging === undefined ? null : <PublishAgeDialog project={aging} onClose={() => setAging(undefined)} />}
      {opened === undefined ? null : (
        <AccessDialog
          container={{ kind: 'project', id: opened.id }}
          name={opened.fullPath}
          onClose={() => setOpened(undefined)}
        />
      )}
    </>
  );
}

interface ProjectActions {
  open: (project: ProjectDetail) => void;
  edit: (project: ProjectDetail) => void;
  setAge: (project: ProjectDetail) => void;
  remove: (project: ProjectDetail) => void;
}

function projectColumns({ open, edit, setAge, remove }: ProjectActions): Column<ProjectDetail>[] {
  return [
    {
      key: 'name',
      label: 'Name',
      width: 'minmax(0, 1fr)',
      cell: (project) => (
        <div className="gh-two-lines">
          <strong className="gh-truncate">{project.fullPath}</strong>
          <span className="gh-truncate">{project.description}</span>
        </div>
      ),
    },
    {
      key: 'id',
      label: 'Id',
      width: '48px',
      align: 'end',
      cell: (project) => <span className="gh-muted">{project.id}</span>,
    },
    {
      key: 'visibility',
      label: 'Seen by',
      width: '88px',
      cell: (project) => <span className="gh-muted">{project.visibility}</span>,
    },
    {
      key: 'createdAt',
      label: 'Created',
      width: '120px',
      align: 'end',
      hideBelow: 600,
      cell: (project) => (
        <span className="gh-muted">
          <Moment time={project.createdAt} />
        </span>
      ),
    },
    {
      key: 'actions',
      label: 'Actions',
      labelHidden: true,
      width: '28px',
      cell: (project) => (
        <RowMenu
          name={project.fullPath}
          actions={[
            { label: 'Members and invitations…', run: () => open(project) },
            { label: 'Edit…', run: () => edit(project) },
            { label: 'Publish times…', run: () => setAge(project) },
            { label: 'Delete…', danger: true, run: () => remove(project) },
          ]}
        />
      ),
    },
  ];
}
