import { useNavigate } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import type { UserDetail } from '../../../server/contract/directory.ts';
import { useCall } from '../../api/call.ts';
import { ask, quoted } from '../../ui/feedback/ask.tsx';
import type { RowAction } from '../../ui/lists/row-menu.tsx';
import { AddToProjectDialog } from './access-dialogs.tsx';
import { CreateToken } from '../../ui/people/create-token.tsx';
import { UserDialog } from '../../ui/people/user-dialog.tsx';

interface UserActions {
  /** The menu of a user. */
  actionsOf: (user: UserDetail) => RowAction[];
  addToProject: (user: UserDetail) => void;
  /** Stands beside what has the menu. */
  dialog: ReactNode;
}

/** What can be done with a user, in the list and on the user's page. */
export function useUserActions(): UserActions {
  const [open, setOpen] = useState<{ dialog: 'edit' | 'project' | 'token'; user: UserDetail }>();
  const navigate = useNavigate();
  const { mutate: setBlocked } = useCall('directory.setUserBlocked');
  const { mutate: remove } = useCall('directory.deleteUser');
  const close = () => setOpen(undefined);
  const confirmDelete = (user: UserDetail) =>
    ask({
      title: `Delete ${quoted(user.name)}?`,
      consequence: `This also deletes the tokens and memberships of @${user.username} and the deploy rules that name this user. Published packages stay.`,
      action: 'Delete',
      run: () => remove({ userId: user.id }),
    });
  return {
    addToProject: (user) => setOpen({ dialog: 'project', user }),
    actionsOf: (user) => [
      { label: 'Edit…', run: () => setOpen({ dialog: 'edit', user }) },
      ...(user.state === 'active'
        ? [
            { label: 'Add to a project…', run: () => setOpen({ dialog: 'project', user }) },
            { label: 'Create a token…', run: () => setOpen({ dialog: 'token', user }) },
          ]
        : []),
      {
        label: 'Show activity',
        run: () => void navigate({ to: '/activity', search: { user: user.id } }),
      },
      {
        startsGroup: true,
        label: user.state === 'active' ? 'Block' : 'Unblock',
        run: () => setBlocked({ userId: user.id, blocked: user.state === 'active' }),
      },
      { label: 'Delete…', danger: true, run: () => confirmDelete(user) },
    ],
    dialog:
      open?.dialog === 'edit' ? (
        <UserDialog user={open.user} onClose={close} onCreated={close} />
      ) : open?.dialog === 'project' ? (
        <AddToProjectDialog user={open.user} onClose={close} />
      ) : open?.dialog === 'token' ? (
        <CreateToken userId={open.user.id} onClose={close} />
      ) : null,
  };
}
