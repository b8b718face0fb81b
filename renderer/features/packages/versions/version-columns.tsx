import type { PackageVersion } from '../../../../server/contract/packages.ts';
import { Chip } from '../../../ui/text/chip.tsx';
import { actionsColumn, textColumn, timeColumn, wideColumn } from '../../../ui/lists/columns.tsx';
import { formatBytes, formatCount } from '../../../ui/text/format.ts';
import { TailText } from '../../../ui/text/tail-text.tsx';
import type { RowAction } from '../../../ui/lists/row-menu.tsx';
import type { Column } from '../../../ui/lists/virtual-table.tsx';

/** The type under which a dist-tag is dragged. */
export const draggedType = 'application/x-gatehouse-tag';

interface VersionColumnsOptions {
  tagsOf: (version: string) => readonly string[];
  actionsOf: (version: PackageVersion) => RowAction[];
  /** Whether any version came in a bundle, which takes a word more to say. */
  hasImported: boolean;
}

/** The columns of the list of versions. */
export function versionColumns({ tagsOf, actionsOf, hasImported }: VersionColumnsOptions): Column<PackageVersion>[] {
  return [
    wideColumn('Version', (version) => <VersionCell version={version} tags={tagsOf(version.version)} />),
    textColumn('By', '96px', ({ publisher }) => publisher ?? '–', { hideBelow: 760 }),
    textColumn('Downloads', '76px', ({ downloads }) => formatCount(downloads), { align: 'end', hideBelow: 620 }),
    textColumn('Size', '72px', ({ size }) => formatBytes(size), { align: 'end', hideBelow: 620 }),
    timeColumn('Published', hasImported ? '164px' : '108px', ({ publishedAt }) => publishedAt, {
      align: 'end',
      lead: ({ imported }) => (imported ? 'Imported' : undefined),
    }),
    actionsColumn(({ version }) => version, actionsOf),
  ];
}

/** The height of a row, in pixels: what is deprecated says why in a second line. */
export const versionRowHeight = ({ deprecated }: PackageVersion): number => (deprecated === null ? 40 : 56);

/** Further ones are only counted; all tags are listed beside the table. */
const tagsShown = 3;

function VersionCell({ version, tags }: { version: PackageVersion; tags: readonly string[] }) {
  return (
    <div data-deprecated={version.deprecated === null ? undefined : true}>
      <div className="gh-version-cell">
        <span
          className="gh-mono gh-truncate"
          style={{ '--gh-version-length': version.version.length } as React.CSSProperties}
        >
          <TailText text={version.version} tail={14} />
        </span>
        <span className="gh-version-tags">
          {tags.slice(0, tagsShown).map((tag) => (
            <span
              key={tag}
              className="gh-draggable"
              data-long={tag.length > 18 || undefined}
              draggable
              onDragStart={(event) => {
                event.dataTransfer.setData(draggedType, tag);
                event.dataTransfer.effectAllowed = 'move';
              }}
            >
              <Chip tone={tag === 'latest' ? 'accent' : 'plain'} detail="Drag onto another version to move it">
                {tag}
              </Chip>
            </span>
          ))}
          {tags.length > tagsShown ? (
            <Chip detail={tags.slice(tagsShown).join(', ')}>+{formatCount(tags.length - tagsShown)}</Chip>
          ) : null}
        </span>
        {version.deprecated === null ? null : <Chip tone="warn">Deprecated</Chip>}
      </div>
      {version.deprecated === null ? null : <div className="gh-version-message gh-truncate">{version.deprecated}</div>}
    </div>
  );
}
