import { Group } from '@mantine/core';
import type { PackageDetail, VersionDetail } from '../../../../server/contract/packages.ts';
import { Chip } from '../../../ui/text/chip.tsx';
import { formatCount, formatMoment } from '../../../ui/text/format.ts';
import { Moment } from '../../../ui/text/moment.tsx';
import { Fact, SizeFact } from '../page/fact.tsx';
import { InstallSection } from '../page/install-section.tsx';

/** Beside a version: how to install it, and its facts. */
export function VersionAside({ pack, version }: { pack: PackageDetail; version: VersionDetail }) {
  const tags = pack.tags.filter((each) => each.version === version.version).map(({ tag }) => tag);
  const engines = Object.entries(version.engines);
  return (
    <aside className="gh-package-aside" aria-label="About this version" tabIndex={0}>
      <InstallSection name={pack.name} version={version.version} />
      <section aria-label="Facts">
        <h2 className="gh-aside-heading">About</h2>
        <dl className="gh-facts">
          {tags.length === 0 ? null : (
            <Fact label="Dist-tags">
              <Group gap={4}>
                {tags.map((tag) => (
                  <Chip key={tag} tone={tag === 'latest' ? 'accent' : 'plain'}>
                    {tag}
                  </Chip>
                ))}
              </Group>
            </Fact>
          )}
          <Fact label={version.imported ? 'Imported' : 'Published'}>
            <div className="gh-capital">
              <Moment time={version.publishedAt} />
              {version.publisher === null ? null : <span className="gh-muted"> by {version.publisher}</span>}
            </div>
            <div className="gh-muted">{formatMoment(version.publishedAt)}</div>
          </Fact>
          <Fact label="Downloads">{formatCount(version.downloads)}</Fact>
          <SizeFact version={version} />
          {version.license === null ? null : <Fact label="License">{version.license}</Fact>}
          {engines.length === 0 ? null : (
            <Fact label="Engines">
              {engines.map(([name, range]) => (
                <div key={name} className="gh-mono">
                  {name} {range}
                </div>
              ))}
            </Fact>
          )}
        </dl>
      </section>
    </aside>
  );
}
