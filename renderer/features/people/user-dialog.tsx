import { Checkbox, PasswordInput, TextInput } from '@mantine/core';
import { directoryMethods, type UserDetail } from '../../../server/contract/directory.ts';
import { useCall } from '../../api/call.ts';
import { FormDialog } from '../../ui/forms/form-dialog.tsx';
import { useSchemaForm } from '../../ui/forms/use-schema-form.ts';

interface UserDialogProps {
  /** Undefined: a new one. */
  user: UserDetail | undefined;
  onClose: () => void;
}

/** Edits a user, or makes one. */
export function UserDialog({ user, onClose }: UserDialogProps) {
  const create = useCall('directory.createUser', { handlesErrors: true });
  const update = useCall('directory.updateUser', { handlesErrors: true });
  const form = useSchemaForm(directoryMethods['directory.createUser'].input, {
    name: user?.name ?? '',
    username: user?.username ?? '',
    email: user?.email ?? '',
    password: '',
    isAdmin: user?.isAdmin ?? false,
  });
  const save = ({ name, username, email, password, isAdmin }: typeof form.values) => {
    const common = { name: name.trim(), username: username.trim(), email: email.trim(), isAdmin };
    if (user === undefined) create.mutate({ ...common, password: password || null }, { onSuccess: onClose });
    else update.mutate({ userId: user.id, ...common, ...(password && { password }) }, { onSuccess: onClose });
  };
  const { name, username, email } = form.values;
  return (
    <FormDialog
      opened
      title={user === undefined ? 'Add a user' : `Edit ${user.name}`}
      action={user === undefined ? 'Add user' : 'Save'}
      busy={create.isPending || update.isPending}
      error={create.error ?? update.error}
      disabled={[name, username, email].some((text) => text.trim() === '')}
      onClose={onClose}
      onSubmit={form.submit(save)}
    >
      <TextInput label="Name" data-autofocus autoComplete="off" {...form.getInputProps('name')} />
      <TextInput label="Username" autoComplete="off" spellCheck={false} {...form.getInputProps('username')} />
      <TextInput label="Email" inputMode="email" autoComplete="off" {...form.getInputProps('email')} />
      <PasswordInput
        label="Password"
        description={
          user === undefined
            ? 'Only for npm login. Tokens work without one.'
            : 'Leave empty to keep the current password.'
        }
        autoComplete="new-password"
        visibilityToggleButtonProps={{ 'aria-label': 'Show the password' }}
        {...form.getInputProps('password')}
      />
      <Checkbox
        label="Administrator"
        description="May do everything, in every project."
        {...form.getInputProps('isAdmin', { type: 'checkbox' })}
      />
    </FormDialog>
  );
}
