import { Checkbox, Stack } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useState } from 'react';
import { useCall } from '../../api/call.ts';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { plural } from '../../ui/format.ts';

interface HandOverDialogProps {
  upstreamId: number;
  /** The name of the other registry. */
  upstream: string;
  /** The packages that have arrived there. */
  names: readonly string[];
  onClose: () => void;
}

/** Gives packages that have arrived at another registry into its keeping. */
export function HandOverDialog({ upstreamId, upstream, names, onClose }: HandOverDialogProps) {
  const handOver = useCall('outbox.handOver', { handlesErrors: true });
  const [left, setLeft] = useState<readonly string[]>([]);
  const chosen = names.filter((name) => !left.includes(name));
  return (
    <FormDialog
      opened
      title={`Hand over to ${upstream}`}
      action="Hand over"
      busy={handOver.isPending}
      error={handOver.error}
      disabled={chosen.length === 0}
      onClose={onClose}
      onSubmit={() =>
        handOver.mutate(
          { upstreamId, names: chosen },
          {
            onSuccess: ({ packages }) => {
              notifications.show({ message: `${upstream} keeps ${plural(packages.length, 'package')} now` });
              onClose();
            },
          },
        )
      }
    >
      <p className="gh-dialog-text">
        From then on {upstream} says what versions there are, and what others publish there is seen here. The versions
        that are here stay on this disk and install without a network. Nothing is unpublished.
      </p>
      <Checkbox.Group
        label="Packages"
        value={chosen}
        onChange={(now) => setLeft(names.filter((name) => !now.includes(name)))}
      >
        <Stack gap={8} mt={4} className="gh-scroll" mah={280}>
          {names.map((name) => (
            <Checkbox key={name} value={name} label={<span className="gh-mono">{name}</span>} />
          ))}
        </Stack>
      </Checkbox.Group>
    </FormDialog>
  );
}
