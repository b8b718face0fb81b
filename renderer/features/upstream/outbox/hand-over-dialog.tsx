import { Checkbox, Stack, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { notifications } from '@mantine/notifications';
import { useCall } from '../../../api/call.ts';
import { FormDialog } from '../../../ui/forms/form-dialog.tsx';
import { plural } from '../../../ui/text/format.ts';

interface HandOverDialogProps {
  upstreamId: number;
  /** The name of the other registry. */
  upstream: string;
  /** The packages that were sent there completely. */
  names: readonly string[];
  onClose: () => void;
}

/** Makes another registry the source of packages that were sent there. */
export function HandOverDialog({ upstreamId, upstream, names, onClose }: HandOverDialogProps) {
  const handOver = useCall('outbox.handOver', { handlesErrors: true });
  const form = useForm({ initialValues: { names: [...names] } });
  const onSuccess = ({ packages }: { packages: readonly unknown[] }) => {
    notifications.show({ message: `Handed ${plural(packages.length, 'package')} over to ${upstream}` });
    onClose();
  };
  return (
    <FormDialog
      opened
      title={`Hand over to ${upstream}`}
      action="Hand over"
      busy={handOver.isPending}
      error={handOver.error}
      disabled={form.values.names.length === 0}
      onClose={onClose}
      onSubmit={form.onSubmit((values) => handOver.mutate({ upstreamId, ...values }, { onSuccess }))}
    >
      <Text c="dimmed">
        New versions then come from {upstream}. Those that are here stay, and install without a network.
      </Text>
      <Checkbox.Group label="Packages" {...form.getInputProps('names')}>
        <Stack gap={8} mt={4}>
          {names.map((name, index) => (
            <Checkbox
              key={name}
              data-autofocus={index === 0 || undefined}
              value={name}
              label={<span className="gh-mono">{name}</span>}
            />
          ))}
        </Stack>
      </Checkbox.Group>
    </FormDialog>
  );
}
