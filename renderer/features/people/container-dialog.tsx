import { Select, Textarea, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { Visibility } from '../../../server/contract/levels.ts';
import { clearButton } from '../../ui/clear-button.ts';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { pathFromName } from './path-from-name.ts';

export interface ContainerValues {
  name: string;
  path: string;
  description: string;
  visibility: Visibility;
  /** The group that it goes into; null for none. */
  parentId: number | null;
}

interface ContainerDialogProps {
  title: string;
  action: string;
  /** What is there already; undefined for a new one. */
  initial?: ContainerValues;
  /** Where a new one may go. */
  parents: readonly { id: number; fullPath: string }[];
  parentLabel: string;
  parentRequired: boolean;
  busy: boolean;
  error: Error | null;
  onClose: () => void;
  onSubmit: (values: ContainerValues) => void;
}

const visibilityLabels: Record<Visibility, string> = {
  private: 'Private: members only',
  internal: 'Internal: everyone with an account',
  public: 'Public: everyone who can reach the registry',
};

/** Asks for what a group and a project have in common. */
export function ContainerDialog(props: ContainerDialogProps) {
  const { initial, parents } = props;
  const [name, setName] = useState(initial?.name ?? '');
  const [path, setPath] = useState(initial?.path ?? '');
  const [description, setDescription] = useState(initial?.description ?? '');
  const [visibility, setVisibility] = useState<Visibility>(initial?.visibility ?? 'private');
  const [parentId, setParentId] = useState(
    initial?.parentId ?? (props.parentRequired ? (parents[0]?.id ?? null) : null),
  );
  const fittingPath = path === '' ? pathFromName(name) : path.trim();
  return (
    <FormDialog
      opened
      title={props.title}
      action={props.action}
      busy={props.busy}
      error={props.error}
      disabled={name.trim() === '' || fittingPath === '' || (props.parentRequired && parentId === null)}
      onClose={props.onClose}
      onSubmit={() => props.onSubmit({ name: name.trim(), path: fittingPath, description, visibility, parentId })}
    >
      <TextInput
        label="Name"
        data-autofocus
        autoComplete="off"
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <TextInput
        label="Path"
        description="Stands in addresses."
        placeholder={pathFromName(name)}
        autoComplete="off"
        spellCheck={false}
        value={path}
        onChange={(event) => setPath(event.currentTarget.value)}
      />
      {initial === undefined ? (
        <Select
          label={props.parentLabel}
          searchable
          clearable={!props.parentRequired}
          allowDeselect={false}
          placeholder="None"
          data={parents.map((parent) => ({ value: String(parent.id), label: parent.fullPath }))}
          value={parentId === null ? null : String(parentId)}
          onChange={(value) => setParentId(value === null ? null : Number(value))}
          clearButtonProps={clearButton('None')}
        />
      ) : null}
      <Select
        label="Who may see it"
        allowDeselect={false}
        data={(Object.keys(visibilityLabels) as Visibility[]).map((value) => ({
          value,
          label: visibilityLabels[value],
        }))}
        value={visibility}
        onChange={(value) => value && setVisibility(value)}
      />
      <Textarea
        label="Description"
        autosize
        minRows={2}
        value={description}
        onChange={(event) => setDescription(event.currentTarget.value)}
      />
    </FormDialog>
  );
}
