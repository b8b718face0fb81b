import { ActionIcon, Menu, Tooltip } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconAlertTriangle, IconCopy, IconDots, IconHash, IconTag, IconTrash } from '@tabler/icons-react';
import type { PackageVersion } from '../../../server/contract/packages.ts';
import { copyText } from '../../api/app.ts';
import { Chip } from '../../ui/chip.tsx';
import { formatBytes, formatCount } from '../../ui/format.ts';
import { Moment } from '../../ui/moment.tsx';
import type { Column } from '../../ui/virtual-table.tsx';
import { installCommand } from './install-command.ts';
import type { TagDialogSubject } from './tag-dialog.tsx';
import type { TagActions } from './use-tag-actions.tsx';

/** The type under which a dist-tag is dragged. */
export const draggedType = 'application/x-gatehouse-tag';

interface VersionColumnsOptions {
  /** Of the package. */
  name: string;
  tagsOf: (version: string) => readonly string[];
  actions: TagActions;
  /** Opens the dialog for a tag. */
  onTag: (subject: TagDialogSubject) => void;
  onDeprecate: (version: PackageVersion) => void;
  onUnpublish: (version: PackageVersion) => void;
}

/** The columns of the list of versions. */
export function versionColumns({
  name,
  tagsOf,
  actions,
  onTag,
  onDeprecate,
  onUnpublish,
}: VersionColumnsOptions): Column<PackageVersion>[] {
  return [
    {
      key: 'version',
      label: 'Version',
      width: 'minmax(0, 1fr)',
      cell: (version) => <VersionCell version={version} tags={tagsOf(version.version)} />,
    },
    {
      key: 'publisher',
      label: 'By',
      width: '96px',
      hideBelow: 720,
      cell: (version) => <div className="gh-muted gh-truncate">{version.publisher ?? '–'}</div>,
    },
    {
      key: 'downloads',
      label: 'Downloads',
      width: '76px',
      align: 'end',
      hideBelow: 620,
      cell: (version) => <span className="gh-muted">{formatCount(version.downloads)}</span>,
    },
    {
      key: 'size',
      label: 'Size',
      width: '72px',
      align: 'end',
      hideBelow: 560,
      cell: (version) => <span className="gh-muted">{formatBytes(version.size)}</span>,
    },
    {
      key: 'publishedAt',
      label: 'Published',
      width: '108px',
      align: 'end',
      cell: (version) => (
        <span className="gh-muted">
          <Moment time={version.publishedAt} />
        </span>
      ),
    },
    {
      key: 'actions',
      label: 'Actions',
      labelHidden: true,
      width: '28px',
      cell: (version) => (
        <VersionMenu
          name={name}
          version={version}
          tags={tagsOf(version.version)}
          actions={actions}
          onTag={onTag}
          onDeprecate={onDeprecate}
          onUnpublish={onUnpublish}
        />
      ),
    },
  ];
}

// More would push each other into crumbs; all of them stand beside the list.
const tagsShown = 3;

interface VersionCellProps {
  version: PackageVersion;
  tags: readonly string[];
}

function VersionCell({ version, tags }: VersionCellProps) {
  return (
    <div className="gh-version-cell" data-deprecated={version.deprecated === null ? undefined : true}>
      <span className="gh-mono">{version.version}</span>
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
            <Chip tone={tag === 'latest' ? 'accent' : 'plain'} title="Drag onto another version to move it">
              {tag}
            </Chip>
          </span>
        ))}
        {tags.length > tagsShown ? (
          <Chip title={tags.slice(tagsShown).join(', ')}>+{formatCount(tags.length - tagsShown)}</Chip>
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

interface VersionMenuProps {
  name: string;
  version: PackageVersion;
  tags: readonly string[];
  actions: TagActions;
  onTag: (subject: TagDialogSubject) => void;
  onDeprecate: (version: PackageVersion) => void;
  onUnpublish: (version: PackageVersion) => void;
}

function VersionMenu({ name, version, tags, actions, onTag, onDeprecate, onUnpublish }: VersionMenuProps) {
  const copy = (text: string, what: string) =>
    void copyText(text).then(() => notifications.show({ message: `Copied ${what}` }));
  return (
    <Menu width={250}>
      <Menu.Target>
        <ActionIcon aria-label={`Actions for ${version.version}`}>
          <IconDots size={15} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item
          leftSection={<IconTag size={15} aria-hidden="true" />}
          onClick={() => onTag({ version: version.version })}
        >
          Tag this version…
        </Menu.Item>
        {tags.map((tag) => (
          <Menu.Item
            key={tag}
            leftSection={<IconTag size={15} aria-hidden="true" />}
            onClick={() => onTag({ tag, version: version.version })}
          >
            Move {tag}…
          </Menu.Item>
        ))}
        {tags
          .filter((tag) => tag !== 'latest')
          .map((tag) => (
            <Menu.Item
              key={`remove-${tag}`}
              leftSection={<IconTrash size={15} aria-hidden="true" />}
              onClick={() => actions.remove(tag)}
            >
              Remove {tag}
            </Menu.Item>
          ))}
        <Menu.Divider />
        <Menu.Item
          leftSection={<IconCopy size={15} aria-hidden="true" />}
          onClick={() => copy(installCommand('npm', name, version.version), 'the install command')}
        >
          Copy install command
        </Menu.Item>
        <Menu.Item
          leftSection={<IconHash size={15} aria-hidden="true" />}
          onClick={() => copy(version.integrity, 'the integrity')}
        >
          Copy integrity
        </Menu.Item>
        <Menu.Divider />
        <Menu.Item
          leftSection={<IconAlertTriangle size={15} aria-hidden="true" />}
          onClick={() => onDeprecate(version)}
        >
          {version.deprecated === null ? 'Deprecate…' : 'Change the deprecation…'}
        </Menu.Item>
        <Menu.Item
          c="var(--gh-danger)"
          leftSection={<IconTrash size={15} aria-hidden="true" />}
          onClick={() => onUnpublish(version)}
        >
          Unpublish…
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
