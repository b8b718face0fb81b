import { Modal, Stack } from '@mantine/core';
import type { ContainerReference } from '../../../server/contract/directory.ts';
import { MemberList } from './member-list.tsx';
import { ShareList } from './share-list.tsx';
import './people.css';

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
        <MemberList container={container} />
        <ShareList container={container} />
      </Stack>
    </Modal>
  );
}
