import { Group } from '@mantine/core';
import type { PackageDetail } from '../../../../server/contract/packages.ts';
import { usePublishAge } from '../../../api/packages.ts';
import { Chip } from '../../../ui/text/chip.tsx';
import { formatBytes, plural } from '../../../ui/text/format.ts';
import { Moment } from '../../../ui/text/moment.tsx';
import { TailText } from '../../../ui/text/tail-text.tsx';
import { TagPanel } from '../tags/tag-panel.tsx';
import { Fact, LinkFact, SizeFact } from './fact.tsx';
import { InstallSection } from './install-section.tsx';

/** Beside a package: how to install it, its dist-tags and its facts. */
export function PackageAside({ pack }: { pack: PackageDetail }) {
  const latest = pack.versions.find((version) => version.version === pack.latest);
  return (
    <aside className="gh-package-aside" aria-label="About this package" tabIndex={0}>
      <InstallSection name={pack.name} />
      <TagPanel pack={pack} />
      <section aria-label="Facts">
        <Group component="h2" className="gh-aside-heading" gap={4} wrap="nowrap">
          About
          {latest && pack.versions.length > 1 ? <TailText text={latest.version} tail={12} /> : null}
        </Group>
        <dl className="gh-facts">
          {pack.description === '' ? null : <Fact label="Description">{pack.description}</Fact>}
          <Fact label={latest?.imported === true ? 'Imported' : 'Published'}>
            <div className="gh-capital">
              <Moment time={latest?.publishedAt ?? pack.publishedAt} />
              {latest?.publisher ? <span className="gh-muted"> by {latest.publisher}</span> : null}
            </div>
          </Fact>
          <ShownOlder projectId={pack.projectId} />
          {latest ? <SizeFact version={latest} /> : null}
          {latest && pack.versions.length === 1 ? null : (
            <Fact label="All versions">{formatBytes(pack.totalSize)}</Fact>
          )}
          {pack.license ? <Fact label="License">{pack.license}</Fact> : null}
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
  return <Fact label="Publish times">backdated by {plural(hours, 'hour')} for clients</Fact>;
}
