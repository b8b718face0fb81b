import { Select } from '@mantine/core';
import { IconUsersGroup } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import type { ProtectionOwner } from '../../../server/contract/environments.ts';
import { useGroups, useProjects } from '../../api/directory.ts';
import { renderPathOption } from '../../ui/forms/path-option.tsx';
import { namesDropdown } from '../../ui/theme/theme.ts';

/** Leads to the environments of another project or group. */
export function OwnerSelect({ owner }: { owner: ProtectionOwner }) {
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
      renderOption={renderPathOption}
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
