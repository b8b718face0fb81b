import { Checkbox, NumberInput, PasswordInput, Select, SimpleGrid, Switch, TagsInput, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { Upstream } from '../../../server/contract/upstream.ts';
import { useCall } from '../../api/call.ts';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { Notice } from '../../ui/notice.tsx';
import {
  addressExamples,
  draftOf,
  losesToken,
  pushExamples,
  settingsOf,
  type RegistryDraft,
  type RegistryKind,
} from './registry-draft.ts';
import { kindLabels } from './registry-text.ts';

interface RegistryDialogProps {
  /** The registry to edit, or what to begin a new one with. */
  registry: Upstream | RegistryDraft;
  onClose: () => void;
  onSaved: (upstream: Upstream) => void;
}

const kinds: readonly RegistryKind[] = ['npm', 'gitlab', 'verdaccio', 'gatehouse'];

/** Asks for everything about another registry. */
export function RegistryDialog({ registry, onClose, onSaved }: RegistryDialogProps) {
  const before = 'id' in registry ? registry : undefined;
  const [draftAtFirst] = useState<RegistryDraft>(() => ('id' in registry ? draftOf(registry) : registry));
  const [draft, setDraft] = useState(draftAtFirst);
  const create = useCall('upstream.create', { handlesErrors: true });
  const update = useCall('upstream.update', { handlesErrors: true });
  const change = (part: Partial<RegistryDraft>) => setDraft((now) => ({ ...now, ...part }));
  const pushExample = pushExamples[draft.kind];
  const save = () => {
    const settings = settingsOf(draft);
    if (before) update.mutate({ upstreamId: before.id, ...settings }, { onSuccess: onSaved });
    else create.mutate(settings, { onSuccess: onSaved });
  };
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
      onSubmit={save}
    >
      <SimpleGrid cols={2} spacing={12}>
        <TextInput
          label="Name"
          placeholder="work"
          data-autofocus
          autoComplete="off"
          spellCheck={false}
          value={draft.name}
          onChange={(event) => change({ name: event.currentTarget.value })}
        />
        <Select
          label="What it is"
          allowDeselect={false}
          data={kinds.map((kind) => ({ value: kind, label: kindLabels[kind] }))}
          value={draft.kind}
          onChange={(kind) => kind && change({ kind })}
        />
      </SimpleGrid>
      <TextInput
        label="Address"
        placeholder={addressExamples[draft.kind]}
        autoComplete="off"
        spellCheck={false}
        value={draft.url}
        onChange={(event) => change({ url: event.currentTarget.value })}
      />
      <PasswordInput
        label="Token"
        description={
          before?.hasToken
            ? 'There is one. Leave this empty to keep it.'
            : 'It is kept encrypted and sent to this registry only. Leave it empty if the registry wants none.'
        }
        autoComplete="off"
        value={draft.token}
        onChange={(event) => change({ token: event.currentTarget.value })}
      />
      {before?.hasToken ? (
        <Checkbox
          label="Remove the token"
          checked={draft.removeToken}
          disabled={draft.token !== ''}
          onChange={(event) => change({ removeToken: event.currentTarget.checked })}
        />
      ) : null}
      {before && losesToken(before, draft) ? (
        <Notice tone="warn">
          The address leads to another host, so the token is removed unless you give a new one.
        </Notice>
      ) : null}
      <TagsInput
        label="Asked for"
        description="Scopes such as @acme, or * for every name that no other registry here has. Nothing else is asked there."
        placeholder={draft.scopes.length === 0 ? '@acme' : ''}
        value={draft.scopes}
        onChange={(scopes) => change({ scopes })}
      />
      <details className="gh-more" open={before !== undefined && Number(draftAtFirst.minimumAgeDays) > 0}>
        <summary>Fetching: age, freshness, patience</summary>
        <SimpleGrid cols={3} spacing={12}>
          <NumberInput
            label="Minimum age"
            suffix=" days"
            min={0}
            max={3650}
            value={draft.minimumAgeDays}
            onChange={(minimumAgeDays) => change({ minimumAgeDays })}
          />
          <NumberInput
            label="Ask again after"
            suffix=" s"
            min={0}
            max={86_400}
            allowDecimal={false}
            value={draft.freshSeconds}
            onChange={(freshSeconds) => change({ freshSeconds })}
          />
          <NumberInput
            label="Wait at most"
            suffix=" ms"
            min={50}
            max={60_000}
            step={500}
            allowDecimal={false}
            value={draft.budgetMilliseconds}
            onChange={(budgetMilliseconds) => change({ budgetMilliseconds })}
          />
        </SimpleGrid>
        <p>
          Younger versions are held back. After waiting, clients get the copy that is here; the answer is kept when it
          comes.
        </p>
        {Number(draft.minimumAgeDays) > 0 ? (
          <TagsInput
            label="Let through at any age"
            placeholder={draft.minimumAgeExceptions.length === 0 ? '@acme, left-pad, or react@19.2.0' : ''}
            value={draft.minimumAgeExceptions}
            onChange={(minimumAgeExceptions) => change({ minimumAgeExceptions })}
          />
        ) : null}
      </details>
      <details className="gh-more" open={draftAtFirst.pushSelection.length > 0}>
        <summary>Publishing there: the outbox</summary>
        <TextInput
          label="Address for publishing"
          description={pushExample === undefined ? 'If it is another one.' : 'Packages are published to a project.'}
          placeholder={pushExample ?? draft.url}
          autoComplete="off"
          spellCheck={false}
          value={draft.pushUrl}
          onChange={(event) => change({ pushUrl: event.currentTarget.value })}
        />
        <TagsInput
          label="What the outbox carries there"
          placeholder={draft.pushSelection.length === 0 ? '@acme, tiny-queue, or * for everything' : ''}
          value={draft.pushSelection}
          onChange={(pushSelection) => change({ pushSelection })}
        />
        <Switch
          label="Send by itself whenever the registry answers"
          checked={draft.autoPush}
          disabled={draft.pushSelection.length === 0}
          onChange={(event) => change({ autoPush: event.currentTarget.checked })}
        />
      </details>
      <Switch
        label="In use"
        checked={draft.enabled}
        onChange={(event) => change({ enabled: event.currentTarget.checked })}
      />
    </FormDialog>
  );
}
