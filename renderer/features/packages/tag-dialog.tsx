import { Button, Group, Modal, Select, Stack, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { PackageDetail } from '../../../server/contract/packages.ts';
import { tagNameProblem } from './dist-tags.ts';

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
  onSave: (tag: string, version: string) => void;
}

/** Asks which version a tag is to point at, and for a new tag its name. */
export function TagDialog({ subject, pack, onClose, onSave }: TagDialogProps) {
  return (
    <Modal
      opened={subject !== undefined}
      onClose={onClose}
      title={subject?.tag === undefined ? 'Add a dist-tag' : `Move ${subject.tag}`}
      size={400}
    >
      {subject === undefined ? null : <TagForm subject={subject} pack={pack} onClose={onClose} onSave={onSave} />}
    </Modal>
  );
}

function TagForm({ subject, pack, onClose, onSave }: TagDialogProps & { subject: TagDialogSubject }) {
  const [name, setName] = useState(subject.tag ?? '');
  const [version, setVersion] = useState(subject.version ?? pack.versions[0]?.version ?? null);
  const [asked, setAsked] = useState(false);
  const isNew = subject.tag === undefined;
  const tag = name.trim();
  const problem = isNew ? tagNameProblem(tag) : undefined;
  const current = pack.tags.find((each) => each.tag === tag);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        setAsked(true);
        if (problem === undefined && version !== null) onSave(tag, version);
      }}
    >
      <Stack gap={12}>
        {isNew ? (
          <TextInput
            label="Tag"
            placeholder="beta"
            data-autofocus
            autoComplete="off"
            spellCheck={false}
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
            error={asked ? problem : undefined}
            description={current && current.version !== version ? `Now points to ${current.version}` : undefined}
          />
        ) : null}
        <Select
          label="Version"
          searchable
          allowDeselect={false}
          nothingFoundMessage="No such version"
          limit={200}
          data={pack.versions.map((each) => each.version)}
          value={version}
          onChange={setVersion}
          {...(isNew ? {} : { 'data-autofocus': true })}
        />
        <Group justify="flex-end" gap={8}>
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit">{isNew && current === undefined ? 'Add tag' : 'Move tag'}</Button>
        </Group>
      </Stack>
    </form>
  );
}
