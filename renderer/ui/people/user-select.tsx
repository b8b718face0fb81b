import { useState } from 'react';
import type { UserDetail } from '../../../server/contract/directory.ts';
import { IdSelect, userOption, type IdSelectProps } from '../forms/id-select.tsx';
import { UserDialog } from './user-dialog.tsx';

interface UserSelectProps extends Omit<IdSelectProps, 'options' | 'missing'> {
  users: readonly UserDetail[] | undefined;
}

/** Chooses a user, and adds the one that is not found. */
export function UserSelect({ users, ...props }: UserSelectProps) {
  const [name, setName] = useState<string>();
  return (
    <>
      <IdSelect
        placeholder="Type to search"
        searchable
        limit={50}
        {...props}
        options={users?.map(userOption)}
        missing={{ label: (typed) => `Add a user “${typed}”…`, run: setName }}
      />
      {name === undefined ? null : (
        <UserDialog
          user={undefined}
          name={name}
          onClose={() => setName(undefined)}
          onCreated={({ id }) => {
            setName(undefined);
            props.onChange(id);
          }}
        />
      )}
    </>
  );
}
