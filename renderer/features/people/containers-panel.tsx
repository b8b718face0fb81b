import { notifications } from '@mantine/notifications';
import { IconClock, IconPencil, IconShieldLock, IconTrash, IconUsers } from '@tabler/icons-react';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import type { GroupDetail, ProjectDetail } from '../../../server/contract/directory.ts';
import { useCall } from '../../api/call.ts';
import { useDirectoryRefresh, useGroups, useProjectDetails } from '../../api/directory.ts';
import { ask, quoted } from '../../ui/feedback/ask.tsx';
import { said } from '../../ui/feedback/toast.tsx';
import { actionsColumn, RowName, textColumn, timeColumn, wideColumn } from '../../ui/lists/columns.tsx';
import { formatCount } from '../../ui/text/format.ts';
import type { RowAction } from '../../ui/lists/row-menu.tsx';
import type { Column } from '../../ui/lists/virtual-table.tsx';
import { ContainerDialog, type ContainerValues } from './container-dialog.tsx';
import { TailText } from '../../ui/text/tail-text.tsx';
import { Panel } from './panel.tsx';
import type { SortValues } from './sort-rows.ts';
import { PublishAgeDialog } from './publish-age-dialog.tsx';

/** The groups: users who get access together. */
export function GroupsPanel() {
  const groups = useGroups();
  const create = useCall('directory.createGroup', { handlesErrors: true });
  const update = useCall('directory.updateGroup', { handlesErrors: true });
  const { mutate: remove } = useCall('directory.deleteGroup');
  return (
    <ContainersPanel
      kind="group"
      rows={groups.data}
      error={groups.error}
      columns={groupColumns}
      sortBy={groupOrder}
      parents={groups.data ?? []}
      parentIdOf={(group) => group.parentId}
      changes={[create, update]}
      onCreate={(values, onSuccess) => create.mutate(values, { onSuccess })}
      onUpdate={(groupId, values, onSuccess) => update.mutate({ groupId, ...values }, { onSuccess })}
      deletes="everything below it: subgroups, projects, their packages and deploy rules"
      onDelete={(groupId, onSuccess) => remove({ groupId }, { onSuccess })}
    />
  );
}

/** The projects: what packages are published into and environments belong to. */
export function ProjectsPanel() {
  const projects = useProjectDetails();
  const groups = useGroups();
  const [aging, setAging] = useState<ProjectDetail>();
  const create = useCall('directory.createProject', { handlesErrors: true });
  const update = useCall('directory.updateProject', { handlesErrors: true });
  const { mutate: remove } = useCall('directory.deleteProject');
  return (
    <>
      <ContainersPanel
        kind="project"
        rows={projects.data}
        error={projects.error}
        columns={projectColumns}
        sortBy={projectOrder}
        parents={groups.data ?? []}
        parentIdOf={(project) => project.namespaceId}
        changes={[create, update]}
        onCreate={({ parentId, ...values }, onSuccess) => {
          if (parentId !== null) create.mutate({ ...values, namespaceId: parentId }, { onSuccess });
        }}
        onUpdate={(projectId, values, onSuccess) => update.mutate({ projectId, ...values }, { onSuccess })}
        deletes="its packages, environments and deploy rules"
        onDelete={(projectId, onSuccess) => remove({ projectId }, { onSuccess })}
        moreActions={(project) => [{ label: 'Backdate publish times…', icon: IconClock, run: () => setAging(project) }]}
      />
      {aging === undefined ? null : <PublishAgeDialog project={aging} onClose={() => setAging(undefined)} />}
    </>
  );
}

interface ContainersPanelProps<Row> {
  kind: 'group' | 'project';
  rows: readonly Row[] | undefined;
  error: Error | null;
  columns: readonly Column<Row>[];
  sortBy: SortValues<Row>;
  parents: readonly GroupDetail[];
  parentIdOf: (row: Row) => number | null;
  /** The calls behind the dialog. */
  changes: readonly { isPending: boolean; error: Error | null; reset: () => void }[];
  onCreate: (values: ContainerValues, onSuccess: (row: Row) => void) => void;
  onUpdate: (id: number, values: Omit<ContainerValues, 'parentId'>, onSuccess: () => void) => void;
  /** What is deleted with it, as it stands in a sentence. */
  deletes: string;
  onDelete: (id: number, onSuccess: () => void) => void;
  moreActions?: (row: Row) => RowAction[];
}

/** Groups or projects, with their access and what edits them. */
function ContainersPanel<Row extends GroupDetail | ProjectDetail>(props: ContainersPanelProps<Row>) {
  const { kind, rows, changes } = props;
  const [editing, setEditing] = useState<Row | 'new'>();
  const { q } = useSearch({ from: '/people' });
  const navigate = useNavigate();
  const refresh = useDirectoryRefresh();
  const open = ({ id }: Row) =>
    void navigate({ to: kind === 'project' ? '/people/projects/$id' : '/people/groups/$id', params: { id } });
  const close = () => {
    setEditing(undefined);
    for (const change of changes) change.reset();
  };
  const added = (row: Row) => {
    close();
    void refresh().then(() => open(row));
  };
  const confirmDelete = (row: Row) =>
    ask({
      title: `Delete ${quoted(row.fullPath)}?`,
      consequence: `This also deletes ${props.deletes}. This cannot be undone.`,
      action: 'Delete',
      run: () => props.onDelete(row.id, () => notifications.show({ message: said`Deleted ${row.fullPath}` })),
    });
  const actions = actionsColumn<Row>(
    (row) => row.fullPath,
    (row) => [
      { label: 'Members and invited groups', icon: IconUsers, run: () => open(row) },
      {
        label: 'Protected environments',
        icon: IconShieldLock,
        run: () =>
          void navigate({
            to: '/environments',
            search: kind === 'project' ? { project: row.id } : { groupId: row.id },
          }),
      },
      { label: 'Edit…', icon: IconPencil, run: () => setEditing(row) },
      ...(props.moreActions?.(row) ?? []),
      { label: 'Delete…', icon: IconTrash, danger: true, startsGroup: true, run: () => confirmDelete(row) },
    ],
  );
  return (
    <>
      <Panel
        things={`${kind}s`}
        rows={rows}
        error={props.error}
        columns={[...props.columns, actions]}
        sortBy={props.sortBy}
        textOf={(row) => `${row.name} ${row.fullPath} ${row.description}`}
        addLabel={`Add a ${kind}`}
        onAdd={() => setEditing('new')}
        onOpen={open}
      />
      {editing === undefined ? null : (
        <ContainerDialog
          kind={kind}
          initial={editing === 'new' ? undefined : { ...editing, parentId: props.parentIdOf(editing) }}
          parents={props.parents}
          // The group whose projects are shown.
          parent={props.parents.find(({ fullPath }) => fullPath === q)?.id}
          busy={changes.some((change) => change.isPending)}
          error={changes.find((change) => change.error)?.error ?? null}
          onClose={close}
          onSubmit={({ parentId, ...values }) => {
            if (editing === 'new') props.onCreate({ ...values, parentId }, added);
            else props.onUpdate(editing.id, values, close);
          }}
        />
      )}
    </>
  );
}

function visibilityName(visibility: string): string {
  return visibility.charAt(0).toUpperCase() + visibility.slice(1);
}

const groupOrder: SortValues<GroupDetail> = {
  Name: (group) => group.name,
  Visibility: (group) => group.visibility,
  Members: (group) => group.memberCount,
  Projects: (group) => group.projectCount,
};

const projectOrder: SortValues<ProjectDetail> = {
  Name: (project) => project.fullPath,
  ID: (project) => project.id,
  Visibility: (project) => project.visibility,
  Created: (project) => project.createdAt,
};

const groupColumns: Column<GroupDetail>[] = [
  wideColumn('Name', (group) => <RowName name={group.name} id={group.fullPath} />),
  textColumn('Visibility', '88px', (group) => visibilityName(group.visibility), { hideBelow: 560 }),
  textColumn('Members', '76px', (group) => formatCount(group.memberCount), { align: 'end' }),
  textColumn('Projects', '76px', (group) => formatCount(group.projectCount), { align: 'end' }),
];

const projectColumns: Column<ProjectDetail>[] = [
  wideColumn('Name', (project) => (
    <RowName name={<TailText text={project.fullPath} tail={24} />} detail={project.description} />
  )),
  textColumn('ID', '48px', (project) => project.id, { align: 'end' }),
  textColumn('Visibility', '88px', (project) => visibilityName(project.visibility)),
  timeColumn('Created', '120px', (project) => project.createdAt, { align: 'end', hideBelow: 600 }),
];
