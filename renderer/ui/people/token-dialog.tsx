import { Checkbox, Stack, TextInput } from '@mantine/core';
import { directoryMethods, type NewTokenResult, type TokenEntry } from '../../../server/contract/directory.ts';
import { useCall } from '../../api/call.ts';
import { useUsers } from '../../api/directory.ts';
import { DateField } from '../forms/date-field.tsx';
import { FormDialog } from '../forms/form-dialog.tsx';
import { userOption } from '../forms/id-select.tsx';
import { useSchemaForm } from '../forms/use-schema-form.ts';
import { UserSelect } from './user-select.tsx';

const scopes: readonly { value: TokenEntry['scopes'][number]; description: string }[] = [
  { value: 'api', description: 'Everything that the user may do.' },
  { value: 'read_api', description: 'Read everything that the user may see, and install packages.' },
  { value: 'read_package_registry', description: 'Install packages.' },
  {
    value: 'write_package_registry',
    description: 'Install, publish, deprecate and unpublish packages, and set tags.',
  },
];

const empty = { name: '', userId: null as number | null, scopes: [] as string[], expiresOn: '' };

interface TokenDialogProps {
  userId?: number;
  onClose: () => void;
  onCreated: (result: NewTokenResult) => void;
}

/** Makes an access token. */
export function TokenDialog({ userId: given, onClose, onCreated }: TokenDialogProps) {
  const users = useUsers();
  const create = useCall('directory.createToken', { handlesErrors: true });
  const active = users.data?.filter((user) => user.state === 'active') ?? [];
  // Preselected only where there is no other: the first user is an administrator.
  const only = active.length === 1 ? (active[0]?.id ?? null) : null;
  const input = ({ name, userId, scopes: chosen, expiresOn }: typeof empty) => ({
    name: name.trim(),
    userId: userId ?? only,
    scopes: scopes.map((scope) => scope.value).filter((scope) => chosen.includes(scope)),
    expiresOn: expiresOn || null,
  });
  const initial = { ...empty, userId: given ?? null };
  const form = useSchemaForm(directoryMethods['directory.createToken'].input, initial, {
    toInput: input,
    required: { name: 'Enter a name.', userId: 'Choose a user.', scopes: 'Choose at least one scope.' },
  });
  const send = (values: typeof empty) => {
    const { userId, ...token } = input(values);
    if (userId !== null) create.mutate({ userId, ...token }, { onSuccess: onCreated });
  };
  return (
    <FormDialog
      opened
      title="Create a token"
      action="Create token"
      busy={create.isPending}
      error={create.error}
      onClose={onClose}
      onSubmit={form.submit(send)}
    >
      <TextInput
        label="Name"
        description="Where it is used, such as a laptop or a CI job."
        data-autofocus
        autoComplete="off"
        {...form.getInputProps('name')}
      />
      <UserSelect
        label="User"
        description="The token acts as this user."
        placeholder="Type to search"
        searchable
        options={active.map(userOption)}
        {...form.getInputProps('userId')}
        value={form.values.userId ?? only}
      />
      <Checkbox.Group label="Scopes" {...form.getInputProps('scopes')}>
        <Stack gap={8} mt={4}>
          {scopes.map(({ value, description }) => (
            <Checkbox key={value} value={value} label={value} description={description} />
          ))}
        </Stack>
      </Checkbox.Group>
      <DateField label="Expires on" {...form.getInputProps('expiresOn')} />
    </FormDialog>
  );
}
