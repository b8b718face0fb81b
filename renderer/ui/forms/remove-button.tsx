import { ActionIcon } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';

/** The button of a list item that removes it; `label` names the item for screen readers. */
export function RemoveButton({ label, onClick }: { label: string; onClick: () => void }) {
  return (
    <ActionIcon aria-label={label} data-tip="Remove" onClick={onClick}>
      <IconTrash size={15} />
    </ActionIcon>
  );
}
