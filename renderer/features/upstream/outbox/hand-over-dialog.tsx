import { Checkbox, Input, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { outboxMethods } from '../../../../server/contract/outbox.ts';
import { useCall } from '../../../api/call.ts';
import { FormDialog } from '../../../ui/forms/form-dialog.tsx';
import { useSchemaForm } from '../../../ui/forms/use-schema-form.ts';
import { plural } from '../../../ui/text/format.ts';
import { said } from '../../../ui/feedback/toast.tsx';

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
  const toInput = (values: { names: string[] }) => ({ upstreamId, ...values });
  const form = useSchemaForm(
    outboxMethods['outbox.handOver'].input,
    { names: [...names] },
    {
      toInput,
      required: { names: 'Choose at least one package.' },
    },
  );
  const { value: _value, onChange: _onChange, ...field } = form.getInputProps('names');
  const chosen = new Set(form.values.names);
  const choose = (next: readonly string[]) => form.setFieldValue('names', [...next]);
  const onSuccess = ({ packages }: { packages: readonly unknown[] }) => {
    notifications.show({
      message: said`New versions of ${plural(packages.length, 'package')} now come from ${upstream}`,
    });
    onClose();
  };
  return (
    <FormDialog
      opened
      title={`Take new versions from ${upstream}`}
      action="Take from there"
      busy={handOver.isPending}
      error={handOver.error}
      onClose={onClose}
      onSubmit={form.submit((values) => handOver.mutate(toInput(values), { onSuccess }))}
    >
      <Text c="dimmed">
        These packages are then published at {upstream} only, and clients of this registry get new versions from there.
        The versions here stay cached.
      </Text>
      {/* The kit's group of boxes would take the box for all for a value. */}
      <Input.Wrapper label="Packages" labelElement="div" {...field}>
        <Stack gap={8} mt={4} role="group" aria-label="Packages">
          {names.length > 1 ? (
            <Checkbox
              data-autofocus
              label={`All ${plural(names.length, 'package')}`}
              checked={chosen.size === names.length}
              indeterminate={chosen.size > 0 && chosen.size < names.length}
              onChange={() => choose(chosen.size === names.length ? [] : names)}
            />
          ) : null}
          {names.map((name) => (
            <Checkbox
              key={name}
              data-autofocus={names.length === 1 || undefined}
              label={<span className="gh-mono">{name}</span>}
              checked={chosen.has(name)}
              onChange={() => choose(names.filter((each) => chosen.has(each) !== (each === name)))}
            />
          ))}
        </Stack>
      </Input.Wrapper>
    </FormDialog>
  );
}
