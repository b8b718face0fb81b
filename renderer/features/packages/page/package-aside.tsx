import { Anchor, Group, SegmentedControl } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import type { PackageDetail } from '../../../../server/contract/packages.ts';
import { openExternal } from '../../../api/app.ts';
import { usePublishAge } from '../../../api/packages.ts';
import { Chip } from '../../../ui/text/chip.tsx';
import { formatBytes, plural } from '../../../ui/text/format.ts';
import { Moment } from '../../../ui/text/moment.tsx';
import { PathText } from '../../../ui/text/path-text.tsx';
import { Snippet } from '../../../ui/text/snippet.tsx';
import { installCommand, packageManagers, type PackageManager } from './install-command.ts';
import '../../../ui/lists/facts.css';
import { TagPanel } from '../tags/tag-panel.tsx';
import { webAddress } from './web-address.ts';

/** Beside a package: how to install it, its dist-tags and its facts. */
export function PackageAside({ pack }: { pack: PackageDetail }) {
  const [manager, setManager] = useState<PackageManager>('npm');
  const latest = pack.versions.find((version) => version.version === pack.latest);
  return (
    <aside className="gh-package-aside" aria-label="About this package" tabIndex={0}>
      <section aria-label="Install">
        <h2 className="gh-aside-heading">Install</h2>
        <SegmentedControl
          fullWidth
          aria-label="Package manager"
          mb={8}
          data={[...packageManagers]}
          value={manager}
          onChange={(value) => setManager(value)}
        />
        <Snippet code={installCommand(manager, pack.name)} copyLabel="Copy the install command" />
      </section>
      <TagPanel pack={pack} />
      <section aria-label="Facts">
        <h2 className="gh-aside-heading">About</h2>
        <dl className="gh-facts">
          {pack.description === '' ? null : <Fact label="Description">{pack.description}</Fact>}
          <Fact label="Published">
            <Moment time={pack.publishedAt} />
            {latest?.publisher ? <span className="gh-muted"> by {latest.publisher}</span> : null}
          </Fact>
          <ShownOlder projectId={pack.projectId} />
          {latest ? (
            <Fact label="Size">
              {formatBytes(latest.size)}
              <div className="gh-muted">
                {formatBytes(latest.unpackedSize)} unpacked, {plural(latest.fileCount, 'file')}
              </div>
            </Fact>
          ) : null}
          <Fact label="All versions">{formatBytes(pack.totalSize)}</Fact>
          {pack.license ? <Fact label="Licence">{pack.license}</Fact> : null}
          <LinkFact label="Homepage" value={pack.homepage} />
          <LinkFact label="Repository" value={pack.repository} />
          {pack.keywords.length > 0 ? (
            <Fact label="Keywords">
              <Group gap={4}>
                {pack.keywords.map((keyword) => (
                  <Chip key={keyword}>{keyword}</Chip>
                ))}
              </Group>
            </Fact>
          ) : null}
        </dl>
      </section>
    </aside>
  );
}

/** Shown where clients see backdated publish times. */
function ShownOlder({ projectId }: { projectId: number }) {
  const { data: hours = 0 } = usePublishAge(projectId);
  if (hours === 0) return null;
  return <Fact label="For clients">{plural(hours, 'hour')} earlier</Fact>;
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </>
  );
}

function LinkFact({ label, value }: { label: string; value: string | null }) {
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
