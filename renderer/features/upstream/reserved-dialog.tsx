import { TagsInput } from '@mantine/core';
import { useState } from 'react';
import { useCall } from '../../api/call.ts';
import { useReservedScopes } from '../../api/upstream.ts';
import { Chip } from '../../ui/chip.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';

/** Scopes that are never asked at a registry for "every other name". */
export function ReservedDialog({ onClose }: { onClose: () => void }) {
  const { data } = useReservedScopes();
  return data === undefined ? null : <ReservedForm {...data} onClose={onClose} />;
}

function ReservedForm({ reserved, local, onClose }: { reserved: string[]; local: string[]; onClose: () => void }) {
  const save = useCall('upstream.setReservedScopes', { handlesErrors: true });
  const [scopes, setScopes] = useState(reserved);
  return (
    <FormDialog
      opened
      title="Scopes kept here"
      action="Save"
      busy={save.isPending}
      error={save.error}
      onClose={onClose}
      onSubmit={() => save.mutate({ scopes }, { onSuccess: onClose })}
    >
      <p className="gh-dialog-text">
        Names of these scopes are never asked at a registry that is asked for every other name, so that nobody out there
        can slip in a package under a name of yours.
      </p>
      {local.length > 0 ? (
        <div>
          <div className="mantine-InputWrapper-label">Published here, always kept</div>
          <div className="gh-chips">
            {local.map((scope) => (
              <Chip key={scope}>{scope}</Chip>
            ))}
          </div>
        </div>
      ) : null}
      <TagsInput
        label="Kept as well"
        data-autofocus
        placeholder={scopes.length === 0 ? '@acme' : ''}
        value={scopes}
        onChange={setScopes}
      />
    </FormDialog>
  );
}
