import { Button, Select, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { MemberLevel } from '../../../server/contract/levels.ts';
import { levelOf, levelOptions } from './levels.ts';

interface AddAccessProps {
  label: string;
  candidates: readonly { id: number; label: string }[];
  busy: boolean;
  /** `done` clears the form. */
  onAdd: (access: { id: number; level: MemberLevel; expiresOn: string | null }, done: () => void) => void;
}

/** One line that gives someone a role, for good or until a day. */
export function AddAccess({ label, candidates, busy, onAdd }: AddAccessProps) {
  const [id, setId] = useState<string | null>(null);
  const [level, setLevel] = useState<MemberLevel>(30);
  const [expiresOn, setExpiresOn] = useState('');
  return (
    <form
      className="gh-access-add"
      onSubmit={(event) => {
        event.preventDefault();
        if (id === null) return;
        onAdd({ id: Number(id), level, expiresOn: expiresOn === '' ? null : expiresOn }, () => {
          setId(null);
          setExpiresOn('');
        });
      }}
    >
      <Select
        label={label}
        placeholder="Type to find"
        searchable
        nothingFoundMessage="Nobody by that name"
        limit={50}
        data={candidates.map((candidate) => ({ value: String(candidate.id), label: candidate.label }))}
        value={id}
        onChange={setId}
      />
      <Select
        label="Role"
        allowDeselect={false}
        data={levelOptions}
        value={String(level)}
        onChange={(value) => setLevel(levelOf(value) ?? level)}
      />
      <TextInput
        label="Until"
        type="date"
        value={expiresOn}
        onChange={(event) => setExpiresOn(event.currentTarget.value)}
      />
      <Button type="submit" variant="default" loading={busy} disabled={id === null}>
        Add
      </Button>
    </form>
  );
}
