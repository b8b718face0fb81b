import { Group, Input, TagsInput, Text } from '@mantine/core';
import { upstreamMethods } from '../../../server/contract/upstream.ts';
import { useCall } from '../../api/call.ts';
import { useReservedScopes } from '../../api/upstream.ts';
import { Chip } from '../../ui/text/chip.tsx';
import { FormDialog } from '../../ui/forms/form-dialog.tsx';
import { useSchemaForm } from '../../ui/forms/use-schema-form.ts';

/** Scopes that are never requested from a registry for "all other names". */
export function ReservedDialog({ onClose }: { onClose: () => void }) {
  const { data } = useReservedScopes();
  return data === undefined ? null : <ReservedForm {...data} onClose={onClose} />;
}

function ReservedForm({ reserved, local, onClose }: { reserved: string[]; local: string[]; onClose: () => void }) {
  const save = useCall('upstream.setReservedScopes', { handlesErrors: true });
  const form = useSchemaForm(upstreamMethods['upstream.setReservedScopes'].input, { scopes: reserved });
  return (
    <FormDialog
      opened
      title="Reserved scopes"
      action="Save"
      busy={save.isPending}
      error={save.error}
      onClose={onClose}
      onSubmit={form.submit((values) => save.mutate(values, { onSuccess: onClose }))}
    >
      <Text c="dimmed">
        Names of these scopes are never requested from a registry for all other names, so that nobody can publish a
        package there under a name of yours.
      </Text>
      {local.length > 0 ? (
        <Input.Wrapper label="Published here, always reserved" labelElement="div">
          <Group gap={6}>
            {local.map((scope) => (
              <Chip key={scope}>{scope}</Chip>
            ))}
          </Group>
        </Input.Wrapper>
      ) : null}
      <TagsInput
        label="Also reserved"
        data-autofocus
        {...form.getInputProps('scopes')}
        placeholder={form.values.scopes.length === 0 ? '@acme' : ''}
      />
    </FormDialog>
  );
}
