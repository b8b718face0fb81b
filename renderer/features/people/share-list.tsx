import { ActionIcon, Tooltip } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import type { ContainerReference } from '../../../server/contract/directory.ts';
import { levelNames } from '../../../server/contract/constants.ts';
import { useCall } from '../../api/call.ts';
import { useGroups, useShares } from '../../api/directory.ts';
import { Chip } from '../../ui/chip.tsx';
import { formatDay } from '../../ui/format.ts';
import { ErrorNotice } from '../../ui/notice.tsx';
import { AddAccess } from './add-access.tsx';

/** The groups that are invited to a project or group. Only these can be named by a deploy rule. */
export function ShareList({ container }: { container: ContainerReference }) {
  const shares = useShares(container);
  const groups = useGroups();
  const add = useCall('directory.addShare', { handlesErrors: true });
  const remove = useCall('directory.removeShare', { handlesErrors: true });
  const invited = new Set(shares.data?.map((share) => share.group.id));
  const error = shares.error ?? add.error ?? remove.error;
  return (
    <section className="gh-access-section">
      <h3>Invited groups</h3>
      {shares.data && shares.data.length > 0 ? (
        <ul className="gh-access-list" aria-label="Invited groups">
          {shares.data.map((share) => (
            <li key={share.group.id}>
              <div className="gh-two-lines">
                <strong className="gh-truncate">{share.group.name}</strong>
                <span className="gh-truncate">{share.group.fullPath}</span>
                {share.expiresOn === null ? null : <Chip>until {formatDay(share.expiresOn)}</Chip>}
              </div>
              <span className="gh-muted">at most {levelNames[share.level]}</span>
              <Tooltip label="End the invitation">
                <ActionIcon
                  aria-label={`End the invitation of ${share.group.name}`}
                  onClick={() => remove.mutate({ container, groupId: share.group.id })}
                >
                  <IconTrash size={15} />
                </ActionIcon>
              </Tooltip>
            </li>
          ))}
        </ul>
      ) : (
        <span className="gh-muted">None. A deploy rule can only name a group that is invited.</span>
      )}
      <AddAccess
        label="Invite a group"
        candidates={(groups.data ?? [])
          .filter((group) => !invited.has(group.id) && !(container.kind === 'group' && container.id === group.id))
          .map((group) => ({ id: group.id, label: group.fullPath }))}
        busy={add.isPending}
        onAdd={({ id, ...access }, done) => add.mutate({ container, groupId: id, ...access }, { onSuccess: done })}
      />
      {error ? <ErrorNotice error={error} /> : null}
    </section>
  );
}
