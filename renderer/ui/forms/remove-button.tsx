import { ActionIcon, Tooltip } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';

/** The button of a list item that removes it; `label` names the item for screen readers. */
export function RemoveButton({ label, onClick }: { label: string; onClick: () => void }) {
  return (
    <Tooltip label="Remove">
      <ActionIcon aria-label={label} onClick={onClick}>
        <IconTrash size={15} />
      </ActionIcon>
    </Tooltip>
  );
}
