import { notifications } from '@mantine/notifications';
import { IconBan, IconFolderPlus, IconHistory, IconKey, IconPencil, IconTrash } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import type { UserDetail } from '../../../server/contract/directory.ts';
import { useCall } from '../../api/call.ts';
import { ask, quoted } from '../../ui/feedback/ask.tsx';
import { said, sayWhenDone, showDone } from '../../ui/feedback/toast.tsx';
import type { RowAction } from '../../ui/lists/row-menu.tsx';
import { AddToProjectDialog } from './access-dialogs.tsx';
import { CreateToken } from '../../ui/people/create-token.tsx';
import { UserDialog } from '../../ui/people/user-dialog.tsx';

export interface UserActions {
  /** The menu of a user. */
  actionsOf: (user: UserDetail) => RowAction[];
  addToProject: (user: UserDetail) => void;
  createToken: (user: UserDetail) => void;
  /** Stands beside what has the menu. */
  dialog: ReactNode;
}

/** What can be done with a user, in the list and on the user's page, which `onDeleted` leaves. */
export function useUserActions(onDeleted?: () => void): UserActions {
  const [open, setOpen] = useState<{ dialog: 'edit' | 'project' | 'token'; user: UserDetail }>();
  const navigate = useNavigate();
  const { mutate: setBlocked, mutateAsync: undoBlocked } = useCall('directory.setUserBlocked');
  const { mutate: remove } = useCall('directory.deleteUser');
  const close = () => setOpen(undefined);
  const block = (user: UserDetail, blocked: boolean) => {
    const doneText = (isBlocked: boolean) => (isBlocked ? said`Blocked ${user.name}` : said`Unblocked ${user.name}`);
    const undo = () => sayWhenDone(undoBlocked({ userId: user.id, blocked: !blocked }), doneText(!blocked));
    setBlocked(
      { userId: user.id, blocked },
      { onSuccess: () => showDone(doneText(blocked), { label: 'Undo', run: undo }) },
    );
  };
  const confirmDelete = (user: UserDetail) =>
    ask({
      title: `Delete ${quoted(user.name)}?`,
      consequence: `This also deletes the tokens and memberships of @${user.username} and the deploy rules that name this user. Published packages stay. This cannot be undone.`,
      action: 'Delete',
      run: () =>
        remove(
          { userId: user.id },
          {
            onSuccess: () => {
              onDeleted?.();
              notifications.show({ message: said`Deleted ${user.name}` });
            },
          },
        ),
    });
  return {
    addToProject: (user) => setOpen({ dialog: 'project', user }),
    createToken: (user) => setOpen({ dialog: 'token', user }),
    actionsOf: (user) => [
      { label: 'Edit…', icon: IconPencil, run: () => setOpen({ dialog: 'edit', user }) },
      ...(user.state === 'active'
        ? [
            { label: 'Add to a project…', icon: IconFolderPlus, run: () => setOpen({ dialog: 'project', user }) },
            { label: 'Create a token…', icon: IconKey, run: () => setOpen({ dialog: 'token', user }) },
          ]
        : []),
      {
        label: 'Show activity',
        icon: IconHistory,
        run: () => void navigate({ to: '/activity', search: { user: user.id } }),
      },
      {
        startsGroup: true,
        label: user.state === 'active' ? 'Block' : 'Unblock',
        icon: IconBan,
        run: () => block(user, user.state === 'active'),
      },
      { label: 'Delete…', icon: IconTrash, danger: true, run: () => confirmDelete(user) },
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
