import { ActionIcon, Select, Tooltip } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import type { ContainerReference, MemberEntry } from '../../../server/contract/directory.ts';
import { levelNames } from '../../../server/contract/constants.ts';
import { useCall } from '../../api/call.ts';
import { useMembers, useUsers } from '../../api/directory.ts';
import { Chip } from '../../ui/chip.tsx';
import { formatDay } from '../../ui/format.ts';
import { ErrorNotice } from '../../ui/notice.tsx';
import { AddAccess } from './add-access.tsx';
import { levelOf, levelOptions } from './levels.ts';

/** Everyone with access to a project or group. Direct members can be changed here; the others say where they come from. */
export function MemberList({ container }: { container: ContainerReference }) {
  const members = useMembers(container);
  const users = useUsers();
  const add = useCall('directory.addMember', { handlesErrors: true });
  const update = useCall('directory.updateMember', { handlesErrors: true });
  const remove = useCall('directory.removeMember', { handlesErrors: true });
  const direct = new Set(members.data?.filter((member) => member.direct).map((member) => member.user.id));
  const error = members.error ?? add.error ?? update.error ?? remove.error;
  return (
    <section className="gh-access-section">
      <h3>Members</h3>
      <ul className="gh-access-list" aria-label="Members">
        {members.data?.map((member) => (
          <li key={member.user.id}>
            <div className="gh-two-lines">
              <strong className="gh-truncate">{member.user.name}</strong>
              <span className="gh-truncate">@{member.user.username}</span>
              {member.expiresOn === null ? null : <Chip>until {formatDay(member.expiresOn)}</Chip>}
            </div>
            {member.direct ? (
              <>
                <Select
                  aria-label={`Role of ${member.user.name}`}
                  w={130}
                  allowDeselect={false}
                  data={levelOptions}
                  value={String(member.level)}
                  onChange={(value) => {
                    const level = levelOf(value);
                    if (level === undefined) return;
                    update.mutate({ container, userId: member.user.id, level, expiresOn: member.expiresOn });
                  }}
                />
                <Tooltip label="Remove">
                  <ActionIcon
                    aria-label={`Remove ${member.user.name}`}
                    onClick={() => remove.mutate({ container, userId: member.user.id })}
                  >
                    <IconTrash size={15} />
                  </ActionIcon>
                </Tooltip>
              </>
            ) : (
              <span className="gh-muted">{originOf(member)}</span>
            )}
          </li>
        ))}
      </ul>
      <AddAccess
        label="Add a member"
        candidates={(users.data ?? [])
          .filter((user) => !direct.has(user.id))
          .map((user) => ({ id: user.id, label: `${user.name} (@${user.username})` }))}
        busy={add.isPending}
        onAdd={({ id, ...access }, done) => add.mutate({ container, userId: id, ...access }, { onSuccess: done })}
      />
      {error ? <ErrorNotice error={error} /> : null}
    </section>
  );
}

function originOf({ level, source, throughGroup }: MemberEntry): string {
  const role = levelNames[level] ?? '';
  return throughGroup === null
    ? `${role}, inherited from ${source.fullPath}`
    : `${role}, through ${throughGroup.fullPath}`;
}
