import { Checkbox, PasswordInput, TextInput } from '@mantine/core';
import { minPasswordLength } from '../../../server/contract/constants.ts';
import { directoryMethods, type UserDetail } from '../../../server/contract/directory.ts';
import { useCall } from '../../api/call.ts';
import { FormDialog } from '../forms/form-dialog.tsx';
import { useSchemaForm } from '../forms/use-schema-form.ts';
import { NameFields, namespacePathOf } from '../forms/name-fields.tsx';
import { pathFromName } from '../forms/path-from-name.ts';

interface UserDialogProps {
  /** Undefined: a new one. */
  user: UserDetail | undefined;
  /** Of a new one, as it was typed before. */
  name?: string;
  onClose: () => void;
  onCreated: (user: UserDetail) => void;
}

const { input } = directoryMethods['directory.createUser'];
const schema = input.extend({
  username: namespacePathOf(input.shape.username),
  password: input.shape.password.refine(
    (password) => password === null || password.length >= minPasswordLength,
    `At least ${minPasswordLength} characters.`,
  ),
  email: input.shape.email.regex(/^[^\s@]+@[^\s@]+$/, 'Enter an email address, such as anna@example.com.'),
});

/** Edits a user, or makes one. */
export function UserDialog({ user, name: typed = '', onClose, onCreated }: UserDialogProps) {
  const create = useCall('directory.createUser', { handlesErrors: true });
  const update = useCall('directory.updateUser', { handlesErrors: true });
  const initial = {
    name: user?.name ?? typed,
    username: user?.username ?? pathFromName(typed),
    email: user?.email ?? '',
    password: '',
    isAdmin: user?.isAdmin ?? false,
  };
  const toInput = ({ name, username, email, password, isAdmin }: typeof initial) => ({
    name: name.trim(),
    username: username.trim(),
    email: email.trim(),
    isAdmin,
    password: password || null,
  });
  const form = useSchemaForm(schema, initial, {
    toInput,
    refusal: create.error ?? update.error,
    required: { name: 'Enter a name.', username: 'Enter a username.', email: 'Enter an email address.' },
  });
  const save = (values: typeof initial) => {
    const { password, ...common } = toInput(values);
    if (user === undefined) create.mutate({ ...common, password }, { onSuccess: onCreated });
    else update.mutate({ userId: user.id, ...common, ...(password !== null && { password }) }, { onSuccess: onClose });
  };
  return (
    <FormDialog
      opened
      title={user === undefined ? 'Add a user' : `Edit ${user.name}`}
      action={user === undefined ? 'Add user' : 'Save'}
      busy={create.isPending || update.isPending}
      error={form.otherRefusal}
      onClose={onClose}
      onSubmit={form.submit(save)}
    >
      <NameFields
        label="Username"
        name={form.getInputProps('name')}
        path={form.getInputProps('username')}
        isNew={user === undefined}
      />
      <TextInput
        label="Email"
        description={user === undefined ? 'Every user has one, as in GitLab. No mail is sent to it.' : undefined}
        inputMode="email"
        autoComplete="off"
        {...form.getInputProps('email')}
      />
      <PasswordInput
        label="Password"
        description={user === undefined ? 'Not needed to publish with a token.' : 'Leave empty for no change.'}
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
