import { Input, TagsInput, Text } from '@mantine/core';
import type { Claim } from '../../../../server/contract/upstream.ts';
import { upstreamMethods } from '../../../../server/contract/upstream.ts';
import { useCall } from '../../../api/call.ts';
import { useClaims } from '../../../api/upstream.ts';
import { FormDialog } from '../../../ui/forms/form-dialog.tsx';
import { RemoveButton } from '../../../ui/forms/remove-button.tsx';
import { TailText } from '../../../ui/text/tail-text.tsx';
import { useSchemaForm } from '../../../ui/forms/use-schema-form.ts';

/** Scopes and names that are this registry’s own for everybody. */
export function ClaimsDialog({ onClose }: { onClose: () => void }) {
  const { data } = useClaims();
  return data === undefined ? null : <ClaimsForm {...data} onClose={onClose} />;
}

function ClaimsForm({ claims, unclaimed, onClose }: { claims: Claim[]; unclaimed: string[]; onClose: () => void }) {
  const save = useCall('upstream.claim', { handlesErrors: true });
  const { mutate: release } = useCall('upstream.release');
  const form = useSchemaForm(
    upstreamMethods['upstream.claim'].input,
    { names: [] as string[] },
    {
      required: { names: 'Enter at least one scope or name.' },
    },
  );
  return (
    <FormDialog
      opened
      title="Internal names"
      action="Claim"
      size={520}
      busy={save.isPending}
      error={save.error}
      onClose={onClose}
      onSubmit={form.submit((values) => save.mutate(values, { onSuccess: onClose }))}
    >
      <Text c="dimmed">
        Claimed scopes and names are never fetched from registries with the scope All or All others. This prevents
        dependency confusion.
      </Text>
      <TagsInput
        label="Claim scopes or names"
        description={unclaimed.length > 0 ? `Published here, not claimed: ${unclaimed.join(', ')}` : undefined}
        data-autofocus
        {...form.getInputProps('names')}
        data={unclaimed}
        placeholder={form.values.names.length === 0 ? 'e.g. @acme' : ''}
      />
      {claims.length > 0 ? (
        <Input.Wrapper label="Claimed" labelElement="div">
          <ul className="gh-list" aria-label="Claimed names">
            {claims.map(({ name, owner }) => (
              <li key={name}>
                <span className="gh-claim gh-mono gh-truncate">
                  <TailText text={name} tail={16} />
                </span>
                <span className="gh-claim gh-muted gh-truncate">
                  <TailText text={owner === null ? 'no owner' : `owned by ${owner}`} tail={16} />
                </span>
                <span className="gh-spacer" />
                <RemoveButton label={`Release ${name}`} onClick={() => release({ names: [name] })} />
              </li>
            ))}
          </ul>
        </Input.Wrapper>
      ) : null}
    </FormDialog>
  );
}
