import { CheckIcon, Group, Select, type SelectProps } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useNavigate } from '@tanstack/react-router';
import { levelNames, memberLevels, type MemberLevel } from '../../../server/contract/constants.ts';
import { directoryMethods, type ContainerReference } from '../../../server/contract/directory.ts';
import { useCall } from '../../api/call.ts';
import { useGroups, useProjects, useUsers } from '../../api/directory.ts';
import { said, showDone } from '../../ui/feedback/toast.tsx';
import { DateField } from '../../ui/forms/date-field.tsx';
import { FormDialog } from '../../ui/forms/form-dialog.tsx';
import { IdSelect, pathOption, userOption } from '../../ui/forms/id-select.tsx';
import { useSchemaForm } from '../../ui/forms/use-schema-form.ts';
import { UserSelect } from '../../ui/people/user-select.tsx';
import { namesDropdown } from '../../ui/theme/theme.ts';
import { lowerFirst } from '../../ui/text/format.ts';

const roleTexts: Readonly<Record<MemberLevel, string>> = {
  10: 'Installs packages.',
  15: 'The same as Guest.',
  20: 'Installs packages and sees environments with their rules.',
  30: 'Publishes packages, moves tags and deploys to unprotected environments.',
  40: 'Also unpublishes packages, and manages the members and rules of projects.',
  50: 'May do everything here.',
};

/** "Developer: publishes packages", as beside the role alone it reads like what a role is. */
const describeRole = (level: MemberLevel) => `${levelNames[level]}: ${lowerFirst(roleTexts[level])}`;

/** Chooses the role of a member or of an invited group; each says in the list what it may do. */
export const roleSelect = {
  ...namesDropdown,
  allowDeselect: false,
  // All of them, or what fits below or above a row of a low window.
  maxDropdownHeight: 'min(330px, 45vh)',
  scrollAreaProps: { type: 'auto' },
  data: memberLevels.map((level) => ({ value: String(level), label: levelNames[level] ?? '' })),
  renderOption: ({ option, checked = false }) => (
    <Group wrap="nowrap" justify="space-between" w="100%">
      <div>
        {option.label}
        <div className="gh-small" style={{ opacity: 0.8 }}>
          {roleTexts[Number(option.value) as MemberLevel]}
        </div>
      </div>
      {checked ? <CheckIcon size={11} style={{ flex: 'none' }} /> : null}
    </Group>
  ),
} satisfies Partial<SelectProps>;

interface AddDialogProps {
  container: ContainerReference;
  fullPath: string;
  /** Ids of those who have access of this kind already. */
  taken: ReadonlySet<number>;
  onClose: () => void;
}

/** Gives a user a role in a project or group. */
export function AddMemberDialog({ container, fullPath, taken, onClose }: AddDialogProps) {
  const users = useUsers();
  const add = useCall('directory.addMember', { handlesErrors: true });
  return (
    <AccessForm
      title="Add a member"
      action="Add member"
      label="User"
      picker={UserSelect}
      options={users.data?.filter(({ id, state }) => !taken.has(id) && state === 'active').map(userOption)}
      change={add}
      onClose={onClose}
      onSubmit={({ id, ...access }) =>
        add.mutate(
          { container, userId: id, ...access },
          {
            onSuccess: ({ user }) => {
              notifications.show({ message: said`Added ${user.name} to ${fullPath}` });
              onClose();
            },
          },
        )
      }
    />
  );
}

/** Gives the members of a group a role in a project or another group. */
export function InviteGroupDialog({ container, fullPath, taken, onClose }: AddDialogProps) {
  const groups = useGroups();
  const add = useCall('directory.addShare', { handlesErrors: true });
  const isOther = (id: number) => container.kind === 'project' || id !== container.id;
  return (
    <AccessForm
      title="Invite a group"
      action="Invite group"
      label="Group"
      roleLabel="Maximum role"
      roleText="Members with a lower role in the group keep it."
      picker={IdSelect}
      options={groups.data?.filter(({ id }) => !taken.has(id) && isOther(id)).map(pathOption)}
      change={add}
      onClose={onClose}
      onSubmit={({ id, ...access }) =>
        add.mutate(
          { container, groupId: id, ...access },
          {
            onSuccess: ({ group }) => {
              notifications.show({ message: said`Invited ${group.fullPath} to ${fullPath}` });
              onClose();
            },
          },
        )
      }
    />
  );
}

interface AddToProjectDialogProps {
  user: { id: number; name: string };
  onClose: () => void;
}

/** Gives a user a role in a project that is chosen here. */
export function AddToProjectDialog({ user, onClose }: AddToProjectDialogProps) {
  const { data: projects } = useProjects();
  const add = useCall('directory.addMember', { handlesErrors: true });
  const navigate = useNavigate();
  if (projects === undefined) return null;
  return (
    <AccessForm
      title={`Add ${user.name} to a project`}
      action="Add to project"
      label="Project"
      initialId={projects.length === 1 ? projects[0]?.id : null}
      picker={IdSelect}
      options={projects.map(pathOption)}
      change={add}
      onClose={onClose}
      onSubmit={({ id, ...access }) =>
        add.mutate(
          { container: { kind: 'project', id }, userId: user.id, ...access },
          {
            onSuccess: () => {
              const path = projects.find((project) => project.id === id)?.fullPath ?? 'the project';
              showDone(said`Added ${user.name} to ${path}`, {
                label: 'Show members',
                run: () => void navigate({ to: '/people/projects/$id', params: { id } }),
              });
              onClose();
            },
          },
        )
      }
    />
  );
}

interface AccessFormProps {
  title: string;
  action: string;
  label: string;
  roleLabel?: string;
  roleText?: string;
  /** Chooses who gets access, or what to. */
  picker: typeof IdSelect | typeof UserSelect;
  options: { id: number; label: string }[] | undefined;
  initialId?: number | null | undefined;
  change: { isPending: boolean; error: Error | null };
  onClose: () => void;
  onSubmit: (access: { id: number; level: MemberLevel; expiresOn: string | null }) => void;
}

const accessSchema = directoryMethods['directory.addMember'].input.pick({ level: true, expiresOn: true });

function AccessForm(props: AccessFormProps) {
  const initial = { id: props.initialId ?? null, level: '30', expiresOn: '' };
  const toInput = ({ id, level, expiresOn }: typeof initial) => ({
    id,
    level: Number(level) as MemberLevel,
    expiresOn: expiresOn || null,
  });
  const form = useSchemaForm(accessSchema, initial, {
    toInput,
    required: { id: `Choose a ${props.label.toLowerCase()}.` },
  });
  return (
    <FormDialog
      opened
      title={props.title}
      action={props.action}
      busy={props.change.isPending}
      error={props.change.error}
      onClose={props.onClose}
      onSubmit={form.submit((values) => {
        const { id, ...access } = toInput(values);
        if (id !== null) props.onSubmit({ id, ...access });
      })}
    >
      <props.picker
        label={props.label}
        data-autofocus
        placeholder="Type to search"
        searchable
        limit={50}
        options={props.options}
        {...form.getInputProps('id')}
      />
      <Select
        label={props.roleLabel ?? 'Role'}
        description={props.roleText ?? describeRole(Number(form.values.level) as MemberLevel)}
        {...roleSelect}
        {...form.getInputProps('level')}
      />
      <DateField label="Access expires on" {...form.getInputProps('expiresOn')} />
    </FormDialog>
  );
}

interface ExpiryDialogProps {
  title: string;
  /** Its present last day. */
  day: string | null;
  change: { isPending: boolean; error: Error | null };
  onClose: () => void;
  onSubmit: (day: string | null) => void;
}

/** Changes the day on which access expires. */
export function ExpiryDialog({ title, day, change, onClose, onSubmit }: ExpiryDialogProps) {
  const toInput = ({ expiresOn }: { expiresOn: string }) => ({ expiresOn: expiresOn || null });
  const form = useSchemaForm(accessSchema.pick({ expiresOn: true }), { expiresOn: day ?? '' }, { toInput });
  return (
    <FormDialog
      opened
      title={title}
      action="Save"
      busy={change.isPending}
      error={change.error}
      disabled={form.values.expiresOn === (day ?? '')}
      onClose={onClose}
      onSubmit={form.submit((values) => onSubmit(toInput(values).expiresOn))}
    >
      <DateField label="Access expires on" data-autofocus {...form.getInputProps('expiresOn')} />
    </FormDialog>
  );
}
