import { Checkbox, NumberInput, PasswordInput, Select, SimpleGrid, Switch, TagsInput, TextInput } from '@mantine/core';
import { upstreamMethods, type Upstream } from '../../../../server/contract/upstream.ts';
import { useCall } from '../../../api/call.ts';
import { FormDialog } from '../../../ui/forms/form-dialog.tsx';
import { Notice } from '../../../ui/feedback/notice.tsx';
import { useSchemaForm } from '../../../ui/forms/use-schema-form.ts';
import { PushOriginField } from './push-origin-field.tsx';
import { kindLabels } from './registry-columns.tsx';
import {
  addressExamples,
  draftOf,
  losesToken,
  pushExamples,
  settingsOf,
  type RegistryDraft,
  type RegistryKind,
} from './registry-draft.ts';

interface RegistryDialogProps {
  /** The registry to edit, or the first values of a new one. */
  registry: Upstream | RegistryDraft;
  /** Which part is open at first, where that is not what the values say. */
  about?: 'publishing';
  onClose: () => void;
  onSaved: (upstream: Upstream) => void;
}

const kinds: readonly RegistryKind[] = ['npm', 'gitlab', 'verdaccio', 'gatehouse'];
const code = { autoComplete: 'off', spellCheck: false } as const;

/** Edits everything about another registry. */
export function RegistryDialog({ registry, about, onClose, onSaved }: RegistryDialogProps) {
  const before = 'id' in registry ? registry : undefined;
  const create = useCall('upstream.create', { handlesErrors: true });
  const update = useCall('upstream.update', { handlesErrors: true });
  const form = useSchemaForm<RegistryDraft>(
    upstreamMethods['upstream.create'].input,
    'id' in registry ? draftOf(registry) : registry,
    { toInput: settingsOf, fieldOf: { budgetMilliseconds: 'budgetSeconds', timeoutMilliseconds: 'timeoutSeconds' } },
  );
  const draft = form.values;
  const initial = form.getInitialValues();
  const pushExample = pushExamples[draft.kind];
  const save = (values: RegistryDraft) => {
    const settings = settingsOf(values);
    if (before) update.mutate({ upstreamId: before.id, ...settings }, { onSuccess: onSaved });
    else create.mutate(settings, { onSuccess: onSaved });
  };
  const tags = (field: 'scopes' | 'minimumAgeExceptions' | 'pushSelection', placeholder: string) => ({
    ...form.getInputProps(field),
    placeholder: draft[field].length === 0 ? placeholder : '',
  });
  return (
    <FormDialog
      opened
      size={560}
      title={before ? `Edit ${before.name}` : 'Add a registry'}
      action={before ? 'Save' : 'Add registry'}
      busy={create.isPending || update.isPending}
      error={create.error ?? update.error}
      disabled={draft.name.trim() === '' || draft.url.trim() === ''}
      onClose={onClose}
      onSubmit={form.submit(save)}
    >
      <SimpleGrid cols={2} spacing={12}>
        <TextInput
          label="Name"
          placeholder="work"
          data-autofocus={about === undefined || undefined}
          {...code}
          {...form.getInputProps('name')}
        />
        <Select
          label="Type"
          allowDeselect={false}
          data={kinds.map((kind) => ({ value: kind, label: kindLabels[kind] }))}
          {...form.getInputProps('kind')}
        />
      </SimpleGrid>
      <TextInput label="URL" placeholder={addressExamples[draft.kind]} {...code} {...form.getInputProps('url')} />
      <PasswordInput
        label="Token"
        description={
          before?.hasToken
            ? 'A token is set. Leave empty to keep it.'
            : 'Stored encrypted and sent to this registry only. Leave empty if none is needed.'
        }
        autoComplete="off"
        visibilityToggleButtonProps={{ 'aria-label': 'Show the token' }}
        {...form.getInputProps('token')}
      />
      {before?.hasToken ? (
        <Checkbox
          label="Remove the token"
          disabled={draft.token !== ''}
          {...form.getInputProps('removeToken', { type: 'checkbox' })}
        />
      ) : null}
      {before && losesToken(before, draft) ? (
        <Notice tone="warn">The URL has another host, so the token is removed unless you give a new one.</Notice>
      ) : null}
      <TagsInput
        label="Scopes"
        description="Packages with these scopes, such as @acme, come from this registry. Enter * for all packages without a registry of their own."
        {...tags('scopes', '@acme')}
      />
      <details className="gh-more" open={before !== undefined && Number(initial.minimumAgeDays) > 0}>
        <summary>Fetching</summary>
        <SimpleGrid cols={2} spacing={12}>
          <NumberInput
            label="Minimum age"
            suffix=" days"
            min={0}
            max={3650}
            {...form.getInputProps('minimumAgeDays')}
          />
          <NumberInput
            label="Check for new versions after"
            suffix=" s"
            min={0}
            max={86_400}
            allowDecimal={false}
            {...form.getInputProps('freshSeconds')}
          />
          <NumberInput
            label="Use a cached copy after"
            suffix=" s"
            min={0.05}
            max={60}
            step={0.5}
            decimalScale={3}
            {...form.getInputProps('budgetSeconds')}
          />
          <NumberInput
            label="Timeout"
            suffix=" s"
            min={0.5}
            max={120}
            step={0.5}
            decimalScale={3}
            {...form.getInputProps('timeoutSeconds')}
          />
        </SimpleGrid>
        <p>
          Versions younger than the minimum age are hidden. If the registry does not answer in time, clients get the
          cached copy; without one, they get an error after the timeout.
        </p>
        {Number(draft.minimumAgeDays) > 0 ? (
          <TagsInput
            label="Exempt from the minimum age"
            {...tags('minimumAgeExceptions', '@acme, left-pad, or react@19.2.0')}
          />
        ) : null}
      </details>
      <details className="gh-more" open={about === 'publishing' || initial.pushSelection.length > 0}>
        <summary>Publishing (outbox)</summary>
        <TextInput
          label="Publish URL"
          description={
            pushExample === undefined
              ? 'Only if it differs from the URL above.'
              : 'Needed to send: the URL of the project that takes the packages.'
          }
          placeholder={pushExample ?? draft.url}
          {...code}
          {...form.getInputProps('pushUrl')}
        />
        <TagsInput
          label="Packages and scopes to send"
          {...tags('pushSelection', '@acme, tiny-queue, or * for everything')}
        />
        <PushOriginField isFirst={about === 'publishing'} {...form.getInputProps('pushFrom')} />
        <Switch
          label="Send automatically while the registry is reachable"
          disabled={draft.pushSelection.length === 0}
          {...form.getInputProps('autoPush', { type: 'checkbox' })}
        />
      </details>
      <Switch label="Use this registry" {...form.getInputProps('enabled', { type: 'checkbox' })} />
    </FormDialog>
  );
}
