import { Checkbox, NumberInput, PasswordInput, Select, SimpleGrid, Switch, TagsInput, TextInput } from '@mantine/core';
import { takesProjects, upstreamMethods, type Upstream } from '../../../../server/contract/upstream.ts';
import { useCall } from '../../../api/call.ts';
import { useGroups, useProjects } from '../../../api/directory.ts';
import { useClaims } from '../../../api/upstream.ts';
import { FormDialog } from '../../../ui/forms/form-dialog.tsx';
import { Notice } from '../../../ui/feedback/notice.tsx';
import { useSchemaForm } from '../../../ui/forms/use-schema-form.ts';
import { SelectorField } from '../selector-field.tsx';
import { PushOriginField } from './push-origin-field.tsx';
import { kindLabels } from './registry-columns.tsx';
import {
  addressExamples,
  draftOf,
  impliedOrigin,
  isFromOnlyProject,
  isProjectUrl,
  losesToken,
  requiredToSend,
  settingsOf,
  targetToSend,
  withKind,
  type RegistryDraft,
  type RegistryKind,
} from './registry-draft.ts';
import '../../../ui/forms/more.css';

interface RegistryDialogProps {
  /** The registry to edit, or the first values of a new one. */
  registry: Upstream | RegistryDraft;
  /** The field that has the focus at first, if not the name; or `publishing`, which only opens that part. */
  about?: 'token' | 'pushUrl' | 'pushSelection' | 'publishing';
  onClose: () => void;
  onSaved: (upstream: Upstream) => void;
}

const kinds: readonly RegistryKind[] = ['npm', 'gitlab', 'verdaccio', 'gatehouse'];
const code = { autoComplete: 'off', spellCheck: false } as const;

/** Edits everything about another registry. */
export function RegistryDialog({ registry, about, onClose, onSaved }: RegistryDialogProps) {
  const before = 'id' in registry ? registry : undefined;
  const isToSend = about === 'publishing' || about === 'pushSelection';
  const create = useCall('upstream.create', { handlesErrors: true });
  const update = useCall('upstream.update', { handlesErrors: true });
  const form = useSchemaForm<RegistryDraft>(
    upstreamMethods['upstream.create'].input,
    'id' in registry ? draftOf(registry) : registry,
    {
      toInput: settingsOf,
      fieldOf: { budgetMilliseconds: 'budgetSeconds', timeoutMilliseconds: 'timeoutSeconds' },
      required: (values) => ({
        name: 'Enter a name.',
        url: 'Enter the URL of the registry.',
        ...requiredToSend(values, isToSend),
      }),
    },
  );
  const draft = form.values;
  const initial = form.getInitialValues();
  const isForOutbox = about !== undefined && about !== 'token';
  const save = (values: RegistryDraft) => {
    const settings = settingsOf(values);
    if (before) update.mutate({ upstreamId: before.id, ...settings }, { onSuccess: onSaved });
    else create.mutate(settings, { onSuccess: onSaved });
  };
  const { data: projects = [] } = useProjects();
  const { data: groups = [] } = useGroups();
  const { data: claimed } = useClaims();
  const implied = (selection: readonly string[]) =>
    impliedOrigin(
      selection,
      projects,
      groups.filter(({ parentId }) => parentId === null),
      claimed?.claims ?? [],
    );
  const isFromOne = isFromOnlyProject(draft, projects);
  const tags = (field: 'scopes' | 'minimumAgeExceptions', placeholder: string) => ({
    ...form.getInputProps(field),
    placeholder: draft[field].length === 0 ? placeholder : '',
  });
  const scopes = (
    <TagsInput
      label="Scopes"
      description="Packages fetched from this registry; * for all that are not published here."
      {...tags('scopes', 'e.g. @acme')}
    />
  );
  const fetching = (
    <details key="fetching" className="gh-more" open={before !== undefined && Number(initial.minimumAgeDays) > 0}>
      <summary>Fetching</summary>
      {isForOutbox ? scopes : null}
      <SimpleGrid cols={2} spacing={12}>
        <NumberInput
          label="Minimum age"
          description="Younger versions are hidden."
          suffix=" days"
          min={0}
          max={3650}
          {...form.getInputProps('minimumAgeDays')}
        />
        <NumberInput
          label="Check for new versions after"
          description="Until then clients get the cached list."
          suffix=" seconds"
          min={0}
          max={86_400}
          allowDecimal={false}
          {...form.getInputProps('freshSeconds')}
        />
        <NumberInput
          label="Use a cached copy after"
          description="If the registry is slow and a copy is here."
          suffix=" seconds"
          min={0.05}
          max={60}
          step={0.5}
          decimalScale={3}
          {...form.getInputProps('budgetSeconds')}
        />
        <NumberInput
          label="Timeout"
          description="Without a copy, clients then get an error."
          suffix=" seconds"
          min={0.5}
          max={120}
          step={0.5}
          decimalScale={3}
          {...form.getInputProps('timeoutSeconds')}
        />
      </SimpleGrid>
      {Number(draft.minimumAgeDays) > 0 ? (
        <TagsInput
          label="Exempt from the minimum age"
          {...tags('minimumAgeExceptions', 'e.g. @acme, left-pad or react@19.2.0')}
        />
      ) : null}
    </details>
  );
  const publishing = (
    <details key="publishing" className="gh-more" open={isForOutbox || initial.pushSelection.length > 0}>
      <summary>Sending (outbox)</summary>
      <TextInput
        {...(takesProjects(draft.kind)
          ? {
              label: 'Destination project',
              placeholder: draft.kind === 'gitlab' ? 'e.g. team/packages' : 'e.g. local/packages',
            }
          : { label: 'Publish URL', placeholder: draft.url })}
        description={
          takesProjects(draft.kind) && !isProjectUrl(draft.url)
            ? 'Where the packages are published on that server.'
            : 'Leave empty to publish to the URL above.'
        }
        data-autofocus={about === 'pushUrl' || undefined}
        {...code}
        {...form.getInputProps('pushUrl')}
      />
      <SelectorField
        label="Packages to send"
        description={isFromOne ? 'With all their versions.' : 'With all their versions, from the projects below.'}
        placeholder="e.g. @acme/*, tiny-queue, or * for all"
        withScopes
        isFirst={about === 'pushSelection'}
        {...form.getInputProps('pushSelection')}
        onChange={(pushSelection) =>
          form.setValues({
            pushSelection,
            pushFrom: draft.pushFrom ?? implied(pushSelection),
            ...(pushSelection.length > 0 && { pushUrl: targetToSend(draft, draft.kind) }),
          })
        }
      />
      {isFromOne ? null : (
        <PushOriginField
          description="Only packages of these local projects are sent."
          {...form.getInputProps('pushFrom')}
        />
      )}
      <Switch
        label="Send automatically while the registry is reachable"
        {...form.getInputProps('autoPush', { type: 'checkbox' })}
      />
    </details>
  );
  return (
    <FormDialog
      opened
      size={560}
      title={before ? `Edit ${before.name}` : 'Add a registry'}
      action={before ? 'Save' : 'Add registry'}
      busy={create.isPending || update.isPending}
      error={create.error ?? update.error}
      onClose={onClose}
      onSubmit={form.submit(save)}
    >
      <SimpleGrid cols={2} spacing={12}>
        <TextInput
          label="Name"
          placeholder="e.g. work"
          data-autofocus={about === undefined || about === 'publishing' || undefined}
          {...code}
          {...form.getInputProps('name')}
          // No name has a space.
          onChange={(event) => form.setFieldValue('name', event.currentTarget.value.replaceAll(' ', '-'))}
        />
        <Select
          label="Type"
          allowDeselect={false}
          data={kinds.map((kind) => ({ value: kind, label: kindLabels[kind] }))}
          {...form.getInputProps('kind')}
          onChange={(chosen) => {
            const kind = kinds.find((each) => each === chosen) ?? draft.kind;
            const pushUrl = isToSend || draft.pushSelection.length > 0 ? targetToSend(draft, kind) : draft.pushUrl;
            form.setValues({ ...withKind(draft, kind), pushUrl });
          }}
        />
      </SimpleGrid>
      <TextInput
        label="URL"
        placeholder={`e.g. ${addressExamples[draft.kind]}`}
        // Another one is typed over it, as after Tab.
        onClick={({ currentTarget }) => {
          if (draft.url === addressExamples.npm) currentTarget.select();
        }}
        {...code}
        {...form.getInputProps('url')}
      />
      <PasswordInput
        label="Token"
        description={
          before?.hasToken
            ? 'A token is set. Leave empty to keep it.'
            : 'Stored encrypted and sent to this registry only. Leave empty if none is needed.'
        }
        data-autofocus={about === 'token' || undefined}
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
      {isForOutbox ? null : scopes}
      {isForOutbox ? [publishing, fetching] : [fetching, publishing]}
    </FormDialog>
  );
}
