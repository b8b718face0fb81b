import { Checkbox, Select, Stack, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { NewTokenResult, TokenEntry } from '../../../server/contract/directory.ts';
import { useCall } from '../../api/call.ts';
import { useUsers } from '../../api/directory.ts';
import { FormDialog } from '../../ui/form-dialog.tsx';

type Scope = TokenEntry['scopes'][number];

const scopes: readonly { value: Scope; label: string; description: string }[] = [
  { value: 'api', label: 'api', description: 'Everything its user may do: publish, install, edit rules and people.' },
  { value: 'read_api', label: 'read_api', description: 'Read everything its user may see.' },
  { value: 'read_package_registry', label: 'read_package_registry', description: 'Install packages.' },
  { value: 'write_package_registry', label: 'write_package_registry', description: 'Publish packages and set tags.' },
];

interface TokenDialogProps {
  onClose: () => void;
  onCreated: (result: NewTokenResult) => void;
}

/** Makes an access token. */
export function TokenDialog({ onClose, onCreated }: TokenDialogProps) {
  const users = useUsers();
  const create = useCall('directory.createToken', { handlesErrors: true });
  const [name, setName] = useState('');
  const [userId, setUserId] = useState<string | null>(null);
  const [chosen, setChosen] = useState<string[]>(['api']);
  const [expiresOn, setExpiresOn] = useState('');
  const active = (users.data ?? []).filter((user) => user.state === 'active');
  const owner = userId ?? (active[0] === undefined ? null : String(active[0].id));
  return (
    <FormDialog
      opened
      title="Create a token"
      action="Create token"
      busy={create.isPending}
      error={create.error}
      disabled={name.trim() === '' || owner === null || chosen.length === 0}
      onClose={onClose}
      onSubmit={() =>
        create.mutate(
          {
            userId: Number(owner),
            name: name.trim(),
            scopes: scopes.map((scope) => scope.value).filter((scope) => chosen.includes(scope)),
            expiresOn: expiresOn === '' ? null : expiresOn,
          },
          { onSuccess: onCreated },
        )
      }
    >
      <TextInput
        label="Name"
        description="What it is for: a laptop, a job, a person."
        data-autofocus
        autoComplete="off"
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <Select
        label="Of"
        description="It can do what this user may do, and no more."
        searchable
        allowDeselect={false}
        data={active.map((user) => ({ value: String(user.id), label: `${user.name} (@${user.username})` }))}
        value={owner}
        onChange={setUserId}
      />
      <Checkbox.Group label="Scopes" value={chosen} onChange={setChosen}>
        <Stack gap={8} mt={4}>
          {scopes.map((scope) => (
            <Checkbox key={scope.value} value={scope.value} label={scope.label} description={scope.description} />
          ))}
        </Stack>
      </Checkbox.Group>
      <TextInput
        label="Expires on"
        description="Leave it empty for a token that lasts."
        type="date"
        value={expiresOn}
        onChange={(event) => setExpiresOn(event.currentTarget.value)}
      />
    </FormDialog>
  );
}
