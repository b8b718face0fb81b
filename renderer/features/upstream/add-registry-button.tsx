import { Button } from '@mantine/core';
import { useState } from 'react';
import { RegistryDialog } from './registries/registry-dialog.tsx';
import { emptyRegistry, type RegistryDraft } from './registries/registry-draft.ts';

/** Adds a registry, from a screen that needs one: with `toSend`, one to send to, with what is to be sent as far as that is known. */
export function AddRegistryButton({ toSend }: { toSend?: Partial<RegistryDraft> }) {
  const [adding, setAdding] = useState(false);
  return (
    <>
      <Button data-command="new" onClick={() => setAdding(true)}>
        Add a registry
      </Button>
      {adding ? (
        <RegistryDialog
          registry={toSend ? { ...emptyRegistry, url: '', ...toSend } : emptyRegistry}
          {...(toSend && { about: 'publishing' as const })}
          onClose={() => setAdding(false)}
          onSaved={() => setAdding(false)}
        />
      ) : null}
    </>
  );
}
