import { MultiSelect, type MultiSelectProps } from '@mantine/core';
import type { PushOrigin } from '../../../../server/contract/upstream.ts';
import { useGroups, useProjects } from '../../../api/directory.ts';

interface PushOriginFieldProps extends Omit<MultiSelectProps, 'value' | 'onChange' | 'defaultValue'> {
  value?: PushOrigin | null;
  onChange: (origin: PushOrigin | null) => void;
}

/** Whose packages are sent: projects, or one group at the top. */
export function PushOriginField({ value = null, onChange, ...field }: PushOriginFieldProps) {
  const groups = (useGroups().data ?? []).filter((group) => group.parentId === null);
  const projects = useProjects().data ?? [];
  return (
    <MultiSelect
      label="Projects to send from"
      placeholder={value === null ? 'Choose a group or projects' : ''}
      searchable
      {...field}
      data={[
        {
          group: 'Groups, with all their projects',
          items: groups.map(({ id, fullPath }) => option('group', id, `${fullPath}/*`)),
        },
        { group: 'Projects', items: projects.map(({ id, fullPath }) => option('project', id, fullPath)) },
      ]}
      value={chosenOf(value)}
      onChange={(chosen) => onChange(originOf(chosen))}
    />
  );
}

/** Whose packages are sent, as paths; a group's ends in a star, as in the field. */
export function usePushOriginPaths(origin: PushOrigin | null): string[] {
  const groups = useGroups().data ?? [];
  const projects = useProjects().data ?? [];
  if (origin === null) return [];
  if ('groupId' in origin)
    return groups.filter(({ id }) => id === origin.groupId).map(({ fullPath }) => `${fullPath}/*`);
  return projects.filter(({ id }) => origin.projectIds.includes(id)).map(({ fullPath }) => fullPath);
}

function option(kind: 'group' | 'project', id: number, label: string): { value: string; label: string } {
  return { value: `${kind} ${id}`, label };
}

function chosenOf(origin: PushOrigin | null): string[] {
  if (origin === null) return [];
  if ('groupId' in origin) return [`group ${origin.groupId}`];
  return origin.projectIds.map((id) => `project ${id}`);
}

/** The origin that a list of choices means, of which the last was made just now: a group stands alone. */
function originOf(chosen: readonly string[]): PushOrigin | null {
  const [kind = '', id = ''] = chosen.at(-1)?.split(' ') ?? [];
  if (kind === 'group') return { groupId: Number(id) };
  const projectIds = chosen.filter((choice) => choice.startsWith('project ')).map((choice) => Number(choice.slice(8)));
  return projectIds.length === 0 ? null : { projectIds };
}
