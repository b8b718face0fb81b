import { Select, Textarea } from '@mantine/core';
import type { z } from 'zod';
import { directoryMethods } from '../../../server/contract/directory.ts';
import type { Visibility } from '../../../server/contract/levels.ts';
import { FormDialog } from '../../ui/forms/form-dialog.tsx';
import { IdSelect, pathOption } from '../../ui/forms/id-select.tsx';
import { NameFields, namespacePathOf, projectPathOf } from '../../ui/forms/name-fields.tsx';
import { useSchemaForm } from '../../ui/forms/use-schema-form.ts';

const { input } = directoryMethods['directory.createGroup'];
/** What a group and a project have in common; `parentId` is the group that it is in, null for none. */
export type ContainerValues = z.output<typeof input>;

const schemas = {
  group: input.extend({ path: namespacePathOf(input.shape.path) }),
  project: input.extend({ path: projectPathOf(input.shape.path) }),
};

interface ContainerDialogProps {
  kind: keyof typeof schemas;
  /** The present values; undefined for a new one. */
  initial: ContainerValues | undefined;
  /** Groups that can hold a new one. */
  parents: readonly { id: number; fullPath: string }[];
  /** Of a new one, at first. */
  parent: number | undefined;
  busy: boolean;
  error: Error | null;
  onClose: () => void;
  onSubmit: (values: ContainerValues) => void;
}

const visibilities: readonly { value: Visibility; label: string }[] = [
  { value: 'private', label: 'Private: members only' },
  { value: 'internal', label: 'Internal: everyone with an account' },
  { value: 'public', label: 'Public: everyone who can reach the registry' },
];

/** Edits a group or a project, or makes one. */
export function ContainerDialog(props: ContainerDialogProps) {
  const { kind, initial, parents } = props;
  const isProject = kind === 'project';
  const toInput = (values: ContainerValues) => ({ ...values, name: values.name.trim(), path: values.path.trim() });
  const form = useSchemaForm<ContainerValues>(
    schemas[kind],
    {
      name: initial?.name ?? '',
      path: initial?.path ?? '',
      description: initial?.description ?? '',
      visibility: initial?.visibility ?? 'private',
      parentId: initial?.parentId ?? props.parent ?? (isProject ? (parents[0]?.id ?? null) : null),
    },
    {
      toInput,
      refusal: props.error,
      required: {
        name: 'Enter a name.',
        path: 'Enter a path.',
        ...(isProject && { parentId: 'Choose a group.' }),
      },
    },
  );
  return (
    <FormDialog
      opened
      title={initial === undefined ? `Add a ${kind}` : `Edit ${initial.name}`}
      action={initial === undefined ? `Add ${kind}` : 'Save'}
      busy={props.busy}
      error={form.otherRefusal}
      onClose={props.onClose}
      onSubmit={form.submit((values) => props.onSubmit(toInput(values)))}
    >
      <NameFields
        label="Path"
        name={form.getInputProps('name')}
        path={form.getInputProps('path')}
        isNew={initial === undefined}
      />
      {initial === undefined ? (
        <IdSelect
          label={isProject ? 'Group' : 'Parent group'}
          searchable
          {...(isProject ? {} : { none: 'None' })}
          options={parents.map(pathOption)}
          {...form.getInputProps('parentId')}
        />
      ) : null}
      <Select label="Visibility" allowDeselect={false} data={visibilities} {...form.getInputProps('visibility')} />
      <Textarea label="Description" autosize minRows={2} {...form.getInputProps('description')} />
    </FormDialog>
  );
}
