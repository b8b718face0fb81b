import { ActionIcon, Tooltip } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import { useCall } from '../../api/call.ts';
import { useTrustedKeys } from '../../api/upstream.ts';
import { ErrorNotice } from '../../ui/notice.tsx';
import { Snippet } from '../../ui/snippet.tsx';

/** The key that signs bundles made here, and those whose bundles are trusted. */
export function TrustedKeys() {
  const keys = useTrustedKeys();
  const { mutate: save } = useCall('bundles.setTrustedKeys');
  if (keys.data === undefined) return keys.error ? <ErrorNotice error={keys.error} /> : null;
  const { own, trusted } = keys.data;
  return (
    <section aria-labelledby="bundles-keys">
      <h2 id="bundles-keys">Keys</h2>
      <p>Bundles made here are signed with this key. Read it out to whoever imports them.</p>
      <Snippet code={own} copyLabel="Copy the fingerprint of this registry" />
      {trusted.length > 0 ? (
        <>
          <h3 className="gh-list-title">Trusted</h3>
          <ul className="gh-list" aria-label="Trusted keys">
            {trusted.map((key) => (
              <li key={key}>
                <span className="gh-mono gh-wrap">{key}</span>
                <span className="gh-spacer" />
                <Tooltip label="Trust it no more">
                  <ActionIcon
                    aria-label={`Trust ${key} no more`}
                    onClick={() => save({ keys: trusted.filter((each) => each !== key) })}
                  >
                    <IconTrash size={15} />
                  </ActionIcon>
                </Tooltip>
              </li>
            ))}
          </ul>
        </>
      ) : null}
    </section>
  );
}
