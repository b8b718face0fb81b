import type { PackageDetail } from '../../../../server/contract/packages.ts';
import { Chip } from '../../../ui/text/chip.tsx';
import { TailText } from '../../../ui/text/tail-text.tsx';
import '../../../ui/lists/list.css';

interface VersionListProps {
  label: string;
  versions: readonly string[];
  tags: PackageDetail['tags'];
}

/** The versions that a dialog acts on, with their tags; nothing for one version, which its title names. */
export function VersionList({ label, versions, tags }: VersionListProps) {
  if (versions.length === 1) return null;
  return (
    <ul className="gh-list gh-short-list" aria-label={label} tabIndex={0}>
      {versions.map((version) => (
        // A long version has a line of its own: the tags give way to it.
        <li key={version} style={{ flexWrap: 'wrap', rowGap: 4, paddingBlock: 8 }}>
          <span className="gh-mono gh-truncate" style={{ flex: 'none', maxWidth: '100%' }}>
            <TailText text={version} tail={14} />
          </span>
          <span className="gh-spacer" />
          {tags
            .filter((each) => each.version === version)
            .map(({ tag }) => (
              <Chip key={tag} tone={tag === 'latest' ? 'accent' : 'plain'}>
                {tag}
              </Chip>
            ))}
        </li>
      ))}
    </ul>
  );
}
