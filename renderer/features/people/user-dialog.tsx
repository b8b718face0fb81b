import { Checkbox, PasswordInput, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { UserDetail } from '../../../server/contract/directory.ts';
import { useCall } from '../../api/call.ts';
import { FormDialog } from '../../ui/form-dialog.tsx';

interface UserDialogProps {
  /** Undefined: a new one. */
  user: UserDetail | undefined;
  onClose: () => void;
}

/** Makes a user, or changes one. */
export function UserDialog({ user, onClose }: UserDialogProps) {
  const [name, setName] = useState(user?.name ?? '');
  const [username, setUsername] = useState(user?.username ?? '');
  const [email, setEmail] = useState(user?.email ?? '');
  const [password, setPassword] = useState('');
  const [isAdmin, setAdmin] = useState(user?.isAdmin ?? false);
  const create = useCall('directory.createUser', { handlesErrors: true });
  const update = useCall('directory.updateUser', { handlesErrors: true });
  const submit = () => {
    const common = { name: name.trim(), username: username.trim(), email: email.trim(), isAdmin };
    if (user === undefined) {
      create.mutate({ ...common, password: password === '' ? null : password }, { onSuccess: onClose });
    } else {
      update.mutate({ userId: user.id, ...common, ...(password === '' ? {} : { password }) }, { onSuccess: onClose });
    }
  };
  return (
    <FormDialog
      opened
      title={user === undefined ? 'Add a user' : `Edit ${user.name}`}
      action={user === undefined ? 'Add user' : 'Save'}
      busy={create.isPending || update.isPending}
      error={create.error ?? update.error}
      disabled={name.trim() === '' || username.trim() === '' || email.trim() === ''}
      onClose={onClose}
      onSubmit={submit}
    >
      <TextInput
        label="Name"
        data-autofocus
        autoComplete="off"
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <TextInput
        label="Username"
        autoComplete="off"
        spellCheck={false}
        value={username}
        onChange={(event) => setUsername(event.currentTarget.value)}
      />
      <TextInput
        label="Email"
        type="email"
        autoComplete="off"
        value={email}
        onChange={(event) => setEmail(event.currentTarget.value)}
      />
      <PasswordInput
        label="Password"
        description={
          user === undefined
            ? 'Only for npm login. Tokens work without one.'
            : 'Leave it empty to keep the present one.'
        }
        autoComplete="new-password"
        visibilityToggleButtonProps={{ 'aria-label': 'Show the password' }}
        value={password}
        onChange={(event) => setPassword(event.currentTarget.value)}
      />
      <Checkbox
        label="Administrator"
        description="May do everything, in every project."
        checked={isAdmin}
        onChange={(event) => setAdmin(event.currentTarget.checked)}
      />
    </FormDialog>
  );
}
