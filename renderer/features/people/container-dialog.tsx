import { Select, Textarea, TextInput } from '@mantine/core';
import type { z } from 'zod';
import { directoryMethods } from '../../../server/contract/directory.ts';
import type { Visibility } from '../../../server/contract/levels.ts';
import { FormDialog } from '../../ui/forms/form-dialog.tsx';
import { IdSelect, pathOption } from '../../ui/forms/id-select.tsx';
import { pathFollowing } from '../../ui/forms/path-from-name.ts';
import { useSchemaForm } from '../../ui/forms/use-schema-form.ts';

const schema = directoryMethods['directory.createGroup'].input;
/** What a group and a project have in common; `parentId` is the group that it is in, null for none. */
export type ContainerValues = z.output<typeof schema>;

interface ContainerDialogProps {
  title: string;
  action: string;
  /** The present values; undefined for a new one. */
  initial: ContainerValues | undefined;
  /** Groups that can hold a new one. */
  parents: readonly { id: number; fullPath: string }[];
  /** Of a new one, at first. */
  parent: number | undefined;
  parentLabel: string;
  parentRequired: boolean;
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
  const { initial, parents, parentRequired } = props;
  const toInput = (values: ContainerValues) => ({ ...values, name: values.name.trim(), path: values.path.trim() });
  const form = useSchemaForm<ContainerValues>(
    schema,
    {
      name: initial?.name ?? '',
      path: initial?.path ?? '',
      description: initial?.description ?? '',
      visibility: initial?.visibility ?? 'private',
      parentId: initial?.parentId ?? props.parent ?? (parentRequired ? (parents[0]?.id ?? null) : null),
    },
    {
      toInput,
      required: {
        name: 'Enter a name.',
        path: 'Enter a path.',
        ...(parentRequired && { parentId: 'Choose a group.' }),
      },
    },
  );
  return (
    <FormDialog
      opened
      title={props.title}
      action={props.action}
      busy={props.busy}
      error={props.error}
      onClose={props.onClose}
      onSubmit={form.submit((values) => props.onSubmit(toInput(values)))}
    >
      <TextInput
        label="Name"
        data-autofocus
        autoComplete="off"
        {...form.getInputProps('name')}
        onChange={(event) => {
          const { name, path } = form.values;
          const next = event.currentTarget.value;
          if (initial === undefined) form.setFieldValue('path', pathFollowing(path, name, next));
          form.setFieldValue('name', next);
        }}
      />
      <TextInput label="Path" autoComplete="off" spellCheck={false} {...form.getInputProps('path')} />
      {initial === undefined ? (
        <IdSelect
          label={props.parentLabel}
          searchable
          {...(parentRequired ? {} : { none: 'None' })}
          options={parents.map(pathOption)}
          {...form.getInputProps('parentId')}
        />
      ) : null}
      <Select label="Visibility" allowDeselect={false} data={visibilities} {...form.getInputProps('visibility')} />
      <Textarea label="Description" autosize minRows={2} {...form.getInputProps('description')} />
    </FormDialog>
  );
}
