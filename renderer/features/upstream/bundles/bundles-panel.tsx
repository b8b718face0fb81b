import { Text } from '@mantine/core';
import { useCall } from '../../../api/call.ts';
import { useTrustedKeys } from '../../../api/upstream.ts';
import { ErrorNotice } from '../../../ui/feedback/notice.tsx';
import { RemoveButton } from '../../../ui/forms/remove-button.tsx';
import { Section } from '../../../ui/page/section.tsx';
import { Snippet } from '../../../ui/text/snippet.tsx';
import { BundleExport } from './bundle-export.tsx';
import { BundleImport } from './bundle-import.tsx';

/** Packages in one signed file, for places without a network. */
export function BundlesPanel() {
  return (
    <div className="gh-page-body" data-padded>
      <div className="gh-sections">
        <BundleExport />
        <BundleImport />
        <Keys />
      </div>
    </div>
  );
}

function Keys() {
  const keys = useTrustedKeys();
  const { mutate: save } = useCall('bundles.setTrustedKeys');
  if (keys.data === undefined) return keys.error ? <ErrorNotice error={keys.error} /> : null;
  const { own, trusted } = keys.data;
  return (
    <Section title="Signing key" text="Signs the bundles made here. Send this fingerprint to whoever imports them.">
      <Snippet code={own} copyLabel="Copy the fingerprint of this registry" />
      {trusted.length > 0 ? (
        <>
          <Text component="h3" fw={620} mt={16} mb={8}>
            Trusted keys
          </Text>
          <ul className="gh-list" aria-label="Trusted keys">
            {trusted.map((key) => (
              <li key={key}>
                <span className="gh-mono gh-truncate">{key}</span>
                <span className="gh-spacer" />
                <RemoveButton
                  label={`Remove ${key}`}
                  onClick={() => save({ keys: trusted.filter((each) => each !== key) })}
                />
              </li>
            ))}
          </ul>
        </>
      ) : null}
    </Section>
  );
}
