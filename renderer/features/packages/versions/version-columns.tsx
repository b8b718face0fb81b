import { Tooltip } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconAlertTriangle, IconCopy, IconGitCompare, IconHash, IconTag, IconTrash } from '@tabler/icons-react';
import type { PackageVersion } from '../../../../server/contract/packages.ts';
import { copyText } from '../../../api/app.ts';
import { Chip } from '../../../ui/text/chip.tsx';
import { actionsColumn, textColumn, timeColumn, wideColumn } from '../../../ui/lists/columns.tsx';
import { formatBytes, formatCount } from '../../../ui/text/format.ts';
import { TailText } from '../../../ui/text/tail-text.tsx';
import type { RowAction } from '../../../ui/lists/row-menu.tsx';
import type { Column } from '../../../ui/lists/virtual-table.tsx';
import { installCommand } from '../page/install-command.ts';
import type { TagDialogSubject } from '../tags/tag-dialog.tsx';
import type { TagActions } from '../tags/use-tag-actions.tsx';

/** The type under which a dist-tag is dragged. */
export const draggedType = 'application/x-gatehouse-tag';

interface VersionColumnsOptions {
  /** Of the package. */
  name: string;
  tagsOf: (version: string) => readonly string[];
  actions: TagActions;
  /** Opens the dialog for a tag. */
  onTag: (subject: TagDialogSubject) => void;
  /** Shows what changed since the version before. */
  onCompare: (version: PackageVersion) => void;
  onDeprecate: (version: PackageVersion) => void;
  onUnpublish: (version: PackageVersion) => void;
}

/** The columns of the list of versions. */
export function versionColumns(options: VersionColumnsOptions): Column<PackageVersion>[] {
  const { tagsOf } = options;
  return [
    wideColumn('Version', (version) => <VersionCell version={version} tags={tagsOf(version.version)} />),
    textColumn('By', '96px', ({ publisher }) => publisher ?? '–', { hideBelow: 760 }),
    textColumn('Downloads', '76px', ({ downloads }) => formatCount(downloads), { align: 'end', hideBelow: 620 }),
    textColumn('Size', '72px', ({ size }) => formatBytes(size), { align: 'end', hideBelow: 560 }),
    timeColumn('Published', '108px', ({ publishedAt }) => publishedAt, { align: 'end' }),
    actionsColumn(
      ({ version }) => version,
      (version) => actionsOf(version, options),
    ),
  ];
}

/** Further ones are only counted; all tags are listed beside the table. */
const tagsShown = 3;

function VersionCell({ version, tags }: { version: PackageVersion; tags: readonly string[] }) {
  return (
    <div className="gh-version-cell" data-deprecated={version.deprecated === null ? undefined : true}>
      <span className="gh-mono gh-truncate">
        <TailText text={version.version} tail={14} />
      </span>
      <span className="gh-version-tags">
        {tags.slice(0, tagsShown).map((tag) => (
          <span
            key={tag}
            className="gh-draggable"
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
      {version.deprecated === null ? null : (
        <Tooltip label={version.deprecated} multiline maw={360}>
          <span>
            <Chip tone="warn">Deprecated</Chip>
          </span>
        </Tooltip>
      )}
    </div>
  );
}

function actionsOf(of: PackageVersion, options: VersionColumnsOptions): RowAction[] {
  const { name, tagsOf, actions, onTag, onCompare, onDeprecate, onUnpublish } = options;
  const { version, integrity, deprecated } = of;
  const tags = tagsOf(version);
  const copy = (text: string, what: string) =>
    void copyText(text).then(() => notifications.show({ message: `Copied ${what}` }));
  return [
    { label: 'Tag this version…', icon: IconTag, run: () => onTag({ version }) },
    ...tags.map((tag) => ({ label: `Move ${tag}…`, icon: IconTag, run: () => onTag({ tag, version }) })),
    ...tags
      .filter((tag) => tag !== 'latest')
      .map((tag) => ({ label: `Remove ${tag}`, icon: IconTrash, run: () => actions.remove(tag) })),
    { label: 'Show changes', icon: IconGitCompare, startsGroup: true, run: () => onCompare(of) },
    {
      label: 'Copy install command',
      icon: IconCopy,
      run: () => copy(installCommand('npm', name, version), 'the install command'),
    },
    { label: 'Copy integrity', icon: IconHash, run: () => copy(integrity, 'the integrity') },
    {
      label: deprecated === null ? 'Deprecate…' : 'Change the deprecation…',
      icon: IconAlertTriangle,
      startsGroup: true,
      run: () => onDeprecate(of),
    },
    { label: 'Unpublish…', icon: IconTrash, danger: true, run: () => onUnpublish(of) },
  ];
}
