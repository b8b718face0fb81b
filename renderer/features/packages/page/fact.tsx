import { Anchor } from '@mantine/core';
import type { ReactNode } from 'react';
import type { PackageVersion } from '../../../../server/contract/packages.ts';
import { openExternal } from '../../../api/app.ts';
import { formatBytes, plural } from '../../../ui/text/format.ts';
import { PathText } from '../../../ui/text/path-text.tsx';
import '../../../ui/lists/facts.css';
import { webAddress } from './web-address.ts';

/** A line of a list of facts. */
export function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </>
  );
}

/** How large a version is, as its tarball and unpacked. */
export function SizeFact({ version }: { version: Pick<PackageVersion, 'size' | 'unpackedSize' | 'fileCount'> }) {
  return (
    <Fact label="Size">
      {formatBytes(version.size)} packed
      <div className="gh-muted">
        {formatBytes(version.unpackedSize)} unpacked, {plural(version.fileCount, 'file')}
      </div>
    </Fact>
  );
}

/** A fact that is a web address, opened in the browser; shown as it is if it is none. */
export function LinkFact({ label, value }: { label: string; value: string | null }) {
  if (value === null || value === '') return null;
  const url = webAddress(value);
  return (
    <Fact label={label}>
      {url === undefined ? (
        value
      ) : (
        <Anchor
          size="sm"
          href={url}
          onClick={(event) => {
            event.preventDefault();
            void openExternal(url);
          }}
        >
          <PathText path={url.replace(/^https?:\/\/(www\.)?/, '').replace(/\/$/, '')} />
        </Anchor>
      )}
    </Fact>
  );
}
