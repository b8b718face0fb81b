import { Select, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useRef, useState } from 'react';
import { hasEffect } from '../../../../server/contract/guards.ts';
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
  const versionOf = (name: string) => pack.tags.find((each) => each.tag === name.trim())?.version;
  const choices = pack.versions
    .map((each) => each.version)
    .filter((version) => isNew || version !== versionOf(subject.tag ?? ''));
  const initial = subject.version ?? choices[0] ?? '';
  const [typed, setTyped] = useState(initial);
  // Left with text that is no version, the kit would show the former choice below the refusal of another.
  const isLeaving = useRef(false);
  const form = useForm({
    initialValues: { tag: subject.tag ?? '', version: initial },
    validate: {
      tag: (tag) => (isNew ? tagNameProblem(tag.trim()) : undefined),
      version: (_chosen, { tag }) => {
        if (typed === '') return 'Choose a version.';
        if (!isVersion(typed)) return `There is no version ${typed}.`;
        return versionOf(tag) === typed ? `${tag.trim()} points to ${typed} already.` : undefined;
      },
    },
  });
  const tag = form.values.tag.trim();
  const current = versionOf(tag);
  const { data: guards } = useGuards(pack.projectId);
  const guard = selectGuard(guards?.guards ?? [], tag);
  const now =
    current === undefined || (isNew && current === typed) ? undefined : (
      <>
        {tag} points to <span className="gh-version">{current}</span> now.
      </>
    );
  return (
    <FormDialog
      opened
      title={isNew ? 'Add a dist-tag' : `Move ${tag}`}
      action={current === undefined ? 'Add tag' : 'Move tag'}
      size={480}
      onClose={onClose}
      onSubmit={form.onSubmit(() => {
        set(tag, typed);
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
          description={now}
          {...form.getInputProps('tag')}
          onBlur={({ relatedTarget }) => {
            // A sentence that appears would move the button away from the pointer.
            if (tag !== '' && !(relatedTarget instanceof HTMLButtonElement)) form.validateField('tag');
          }}
        />
      ) : null}
      <Select
        label="Version"
        {...requiredField}
        searchable
        allowDeselect={false}
        nothingFoundMessage="No such version"
        limit={200}
        data={choices}
        classNames={{ option: 'gh-version' }}
        {...(isNew ? {} : { description: now, 'data-autofocus': true })}
        {...form.getInputProps('version')}
        searchValue={typed}
        onSearchChange={(text) => {
          if (isLeaving.current || text === typed) return;
          setTyped(text);
          form.clearFieldError('version');
        }}
        onBlurCapture={() => {
          isLeaving.current = true;
        }}
        onBlur={() => {
          isLeaving.current = false;
          // A version that was typed in full is chosen without a key.
          if (isVersion(typed)) form.setFieldValue('version', typed);
          else form.validateField('version');
        }}
      />
      {guard === undefined || !hasEffect(guard) ? null : (
        <Notice title={guards?.onRefusal === 'stage' ? 'This tag requires approval' : 'This tag is guarded'}>
          As an administrator you {current === undefined ? 'add' : 'move'} it at once.
        </Notice>
      )}
    </FormDialog>
  );
}
