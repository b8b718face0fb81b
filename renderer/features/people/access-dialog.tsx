import { Button, Group, Modal, Select, Stack, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { ReactNode } from 'react';
import { levelNames, memberLevels, type MemberLevel } from '../../../server/contract/constants.ts';
import type { ContainerReference, MemberEntry } from '../../../server/contract/directory.ts';
import { useCall } from '../../api/call.ts';
import { useGroups, useMembers, useShares, useUsers } from '../../api/directory.ts';
import { Chip } from '../../ui/text/chip.tsx';
import { RowName } from '../../ui/lists/columns.tsx';
import { formatDay } from '../../ui/text/format.ts';
import { DateField } from '../../ui/forms/date-field.tsx';
import { IdSelect, pathOption, userOption } from '../../ui/forms/id-select.tsx';
import { ErrorNotice } from '../../ui/feedback/notice.tsx';
import { RemoveButton } from '../../ui/forms/remove-button.tsx';
import '../../ui/lists/list.css';

interface AccessDialogProps {
  container: ContainerReference;
  /** The path of the project or group. */
  name: string;
  onClose: () => void;
}

/** Who has access to a project or group: its members, and the groups that are invited. */
export function AccessDialog({ container, name, onClose }: AccessDialogProps) {
  return (
    <Modal opened onClose={onClose} title={`Access to ${name}`} size={680}>
      <Stack gap={20}>
        <Members container={container} />
        <InvitedGroups container={container} />
      </Stack>
    </Modal>
  );
}

const levelOptions = memberLevels.map((level) => ({ value: String(level), label: levelNames[level] ?? '' }));

/** Direct members can be changed here; the others say where their access comes from. */
function Members({ container }: { container: ContainerReference }) {
  const members = useMembers(container);
  const users = useUsers();
  const add = useCall('directory.addMember', { handlesErrors: true });
  const update = useCall('directory.updateMember', { handlesErrors: true });
  const remove = useCall('directory.removeMember', { handlesErrors: true });
  const direct = new Set(members.data?.filter((member) => member.direct).map((member) => member.user.id));
  return (
    <AccessSection
      title="Members"
      error={members.error ?? add.error ?? update.error ?? remove.error}
      add={
        <AddAccess
          label="Add a member"
          options={users.data?.filter((user) => !direct.has(user.id)).map(userOption)}
          busy={add.isPending}
          onAdd={({ id, ...access }, done) => add.mutate({ container, userId: id, ...access }, { onSuccess: done })}
        />
      }
    >
      {members.data?.map((member) => (
        <li key={member.user.id}>
          <RowName name={member.user.name} detail={`@${member.user.username}`}>
            <Expiry day={member.expiresOn} />
          </RowName>
          <span className="gh-spacer" />
          {member.direct ? (
            <>
              <Select
                aria-label={`Role of ${member.user.name}`}
                w={130}
                allowDeselect={false}
                data={levelOptions}
                value={String(member.level)}
                onChange={(value) => {
                  const level = Number(value) as MemberLevel;
                  update.mutate({ container, userId: member.user.id, level, expiresOn: member.expiresOn });
                }}
              />
              <RemoveButton
                label={`Remove ${member.user.name}`}
                onClick={() => remove.mutate({ container, userId: member.user.id })}
              />
            </>
          ) : (
            <span className="gh-muted">{originOf(member)}</span>
          )}
        </li>
      ))}
    </AccessSection>
  );
}

function originOf({ level, source, throughGroup }: MemberEntry): string {
  const role = levelNames[level] ?? '';
  return throughGroup === null
    ? `${role}, inherited from ${source.fullPath}`
    : `${role}, through ${throughGroup.fullPath}`;
}

/** Only these groups can be named by a deploy rule. */
function InvitedGroups({ container }: { container: ContainerReference }) {
  const shares = useShares(container);
  const groups = useGroups();
  const add = useCall('directory.addShare', { handlesErrors: true });
  const remove = useCall('directory.removeShare', { handlesErrors: true });
  const taken = new Set(shares.data?.map((share) => share.group.id));
  if (container.kind === 'group') taken.add(container.id);
  return (
    <AccessSection
      title="Invited groups"
      empty={shares.data?.length === 0 ? 'None. A deploy rule can only name a group that is invited.' : undefined}
      error={shares.error ?? add.error ?? remove.error}
      add={
        <AddAccess
          label="Invite a group"
          options={groups.data?.filter((group) => !taken.has(group.id)).map(pathOption)}
          busy={add.isPending}
          onAdd={({ id, ...access }, done) => add.mutate({ container, groupId: id, ...access }, { onSuccess: done })}
        />
      }
    >
      {shares.data?.map((share) => (
        <li key={share.group.id}>
          <RowName name={share.group.name} detail={share.group.fullPath}>
            <Expiry day={share.expiresOn} />
          </RowName>
          <span className="gh-spacer" />
          <span className="gh-muted">Max role: {levelNames[share.level]}</span>
          <RemoveButton
            label={`Remove ${share.group.name}`}
            onClick={() => remove.mutate({ container, groupId: share.group.id })}
          />
        </li>
      ))}
    </AccessSection>
  );
}

interface AccessSectionProps {
  title: string;
  /** Shown in place of the list. */
  empty?: string | undefined;
  error: Error | null;
  add: ReactNode;
  children: ReactNode;
}

function AccessSection({ title, empty, error, add, children }: AccessSectionProps) {
  return (
    <section>
      <Text component="h3" fw={620} mb={6}>
        {title}
      </Text>
      {empty === undefined ? (
        <ul className="gh-list" aria-label={title}>
          {children}
        </ul>
      ) : (
        <span className="gh-muted">{empty}</span>
      )}
      {add}
      {error ? <ErrorNotice error={error} /> : null}
    </section>
  );
}

function Expiry({ day }: { day: string | null }) {
  return day === null ? null : <Chip>until {formatDay(day)}</Chip>;
}

interface AddAccessProps {
  label: string;
  options: { id: number; label: string }[] | undefined;
  busy: boolean;
  /** `done` clears the form. */
  onAdd: (access: { id: number; level: MemberLevel; expiresOn: string | null }, done: () => void) => void;
}

/** One line that gives a user or group a role, with or without an end. */
function AddAccess({ label, options, busy, onAdd }: AddAccessProps) {
  const form = useForm({ initialValues: { id: null as number | null, level: '30', expiresOn: '' } });
  return (
    <form
      onSubmit={form.onSubmit(({ id, level, expiresOn }) => {
        if (id === null) return;
        onAdd({ id, level: Number(level) as MemberLevel, expiresOn: expiresOn || null }, () =>
          form.setValues({ id: null, expiresOn: '' }),
        );
      })}
    >
      <Group gap={8} mt={10} align="end" wrap="nowrap">
        <IdSelect
          flex={1}
          label={label}
          placeholder="Type to search"
          searchable
          nothingFoundMessage="No match"
          limit={50}
          options={options}
          allowDeselect
          {...form.getInputProps('id')}
        />
        <Select label="Role" w={130} allowDeselect={false} data={levelOptions} {...form.getInputProps('level')} />
        <DateField label="Expires on" w={140} {...form.getInputProps('expiresOn')} />
        <Button type="submit" flex="none" variant="default" loading={busy} disabled={form.values.id === null}>
          Add
        </Button>
      </Group>
    </form>
  );
}
