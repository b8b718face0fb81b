import { Select, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import type { PackageDetail } from '../../../../server/contract/packages.ts';
import { selectGuard } from '../../../../server/contract/select-guard.ts';
import { useGuards } from '../../../api/guards.ts';
import { Notice } from '../../../ui/feedback/notice.tsx';
import { FormDialog } from '../../../ui/forms/form-dialog.tsx';
import { requiredField } from '../../../ui/forms/use-schema-form.ts';
import { tagNameProblem } from './dist-tags.ts';
import { useTagActions } from './use-tag-actions.tsx';

/** What the dialog starts from: nothing for a new tag, a tag to move it, a version to give it a tag. */
export interface TagDialogSubject {
  tag?: string;
  version?: string;
}

interface TagDialogProps {
  /** Undefined: closed. */
  subject: TagDialogSubject | undefined;
  pack: PackageDetail;
  onClose: () => void;
}

/** Points a dist-tag at a version; a new tag is named first. */
export function TagDialog({ subject, pack, onClose }: TagDialogProps) {
  return subject === undefined ? null : <OpenTagDialog subject={subject} pack={pack} onClose={onClose} />;
}

function OpenTagDialog({ subject, pack, onClose }: TagDialogProps & { subject: TagDialogSubject }) {
  const isNew = subject.tag === undefined;
  const { set } = useTagActions(pack);
  const isVersion = (text: string) => pack.versions.some((each) => each.version === text);
  const [typed, setTyped] = useState(subject.version ?? pack.versions[0]?.version ?? '');
  // What was typed last and is no version: the field shows the chosen version again when it is left.
  const [refused, setRefused] = useState('');
  const form = useForm({
    initialValues: { tag: subject.tag ?? '', version: subject.version ?? pack.versions[0]?.version ?? null },
    validate: {
      tag: (tag) => (isNew ? tagNameProblem(tag.trim()) : undefined),
      version: (version, values) => {
        const wrong = isVersion(typed) ? refused : typed;
        if (wrong !== '') return `${pack.name} has no version ${wrong}.`;
        if (version === null) return 'Choose a version.';
        const now = pack.tags.find((each) => each.tag === values.tag.trim())?.version;
        return now === version ? `${values.tag.trim()} points to ${version} already.` : undefined;
      },
    },
  });
  const { tag, version } = form.values;
  const current = pack.tags.find((each) => each.tag === tag.trim());
  const { data: guards } = useGuards(pack.projectId);
  const guard = selectGuard(guards?.guards ?? [], tag.trim());
  return (
    <FormDialog
      opened
      title={subject.tag === undefined ? 'Add a dist-tag' : `Move ${subject.tag}`}
      action={isNew && current === undefined ? 'Add tag' : 'Move tag'}
      size={400}
      onClose={onClose}
      onSubmit={form.onSubmit((values) => {
        if (values.version !== null) set(values.tag.trim(), values.version);
        onClose();
      })}
    >
      {isNew ? (
        <TextInput
          label="Tag"
          {...requiredField}
          placeholder="e.g. beta"
          data-autofocus
          autoComplete="off"
          spellCheck={false}
          description={current && current.version !== version ? `Now points to ${current.version}` : undefined}
          {...form.getInputProps('tag')}
        />
      ) : null}
      <Select
        label="Version"
        searchable
        allowDeselect={false}
        nothingFoundMessage="No such version"
        limit={200}
        data={pack.versions.map((each) => each.version)}
        {...(isNew ? {} : { 'data-autofocus': true })}
        {...form.getInputProps('version')}
        searchValue={typed}
        onSearchChange={setTyped}
        onFocus={() => setRefused('')}
        onBlur={() => {
          // A version that was typed in full is chosen without a key.
          if (isVersion(typed)) form.setFieldValue('version', typed);
          const wrong = isVersion(typed) ? '' : typed;
          setRefused(wrong);
          if (wrong !== '') form.setFieldError('version', `${pack.name} has no version ${wrong}.`);
        }}
      />
      {guard === undefined ? null : (
        <Notice title={`${tag.trim()} is guarded by ${guard.environment}`}>
          You are an administrator in this window, so the tag moves at once, without approvals.
        </Notice>
      )}
    </FormDialog>
  );
}
