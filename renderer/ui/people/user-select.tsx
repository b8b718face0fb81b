import { useState } from 'react';
import { IdSelect, type IdSelectProps } from '../forms/id-select.tsx';
import { UserDialog } from './user-dialog.tsx';

/** Chooses a user (`userOption`), and adds the one that is not found. */
export function UserSelect(props: Omit<IdSelectProps, 'missing'>) {
  const [name, setName] = useState<string>();
  return (
    <>
      <IdSelect {...props} missing={{ label: (typed) => `Add a user “${typed}”…`, run: setName }} />
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
