import { ActionIcon, Button, Menu, Tooltip } from '@mantine/core';
import { IconDots, IconPlus, IconTag, IconTrash } from '@tabler/icons-react';
import { useMemo, useState } from 'react';
import type { PackageDetail } from '../../../server/contract/packages.ts';
import { Chip } from '../../ui/chip.tsx';
import { formatCount } from '../../ui/format.ts';
import { orderTags } from './dist-tags.ts';
import { TagDialog, type TagDialogSubject } from './tag-dialog.tsx';
import { useTagActions } from './use-tag-actions.tsx';

// A package with a tag for each branch must not bury what stands below.
const shownAtFirst = 10;

/** The dist-tags of a package, to add, move and remove. */
export function TagPanel({ pack }: { pack: PackageDetail }) {
  const [subject, setSubject] = useState<TagDialogSubject>();
  const [all, setAll] = useState(false);
  const actions = useTagActions(pack);
  const tags = useMemo(() => orderTags(pack.tags, pack.versions), [pack.tags, pack.versions]);
  const shown = all || tags.length <= shownAtFirst + 2 ? tags : tags.slice(0, shownAtFirst);
  return (
    <section aria-label="Dist-tags">
      <div className="gh-aside-heading">
        <h2>Dist-tags</h2>
        <Tooltip label="Add a tag">
          <ActionIcon aria-label="Add a tag" onClick={() => setSubject({})}>
            <IconPlus size={15} />
          </ActionIcon>
        </Tooltip>
      </div>
      <ul className="gh-tag-list">
        {shown.map(({ tag, version }) => (
          <li key={tag} data-tag={tag}>
            <Chip tone={tag === 'latest' ? 'accent' : 'plain'} title={tag}>
              {tag}
            </Chip>
            <span className="gh-mono gh-truncate" title={version}>
              {version}
            </span>
            <Menu>
              <Menu.Target>
                <ActionIcon aria-label={`Change ${tag}`}>
                  <IconDots size={15} />
                </ActionIcon>
              </Menu.Target>
              <Menu.Dropdown>
                <Menu.Item
                  leftSection={<IconTag size={15} aria-hidden="true" />}
                  onClick={() => setSubject({ tag, version })}
                >
                  Move to another version…
                </Menu.Item>
                <Menu.Item leftSection={<IconTrash size={15} aria-hidden="true" />} onClick={() => actions.remove(tag)}>
                  {tag === 'latest' ? 'Reset to the newest release' : 'Remove'}
                </Menu.Item>
              </Menu.Dropdown>
            </Menu>
          </li>
        ))}
      </ul>
      {shown.length < tags.length ? (
        <Button variant="subtle" color="gray" size="compact-xs" onClick={() => setAll(true)}>
          Show all {formatCount(tags.length)}
        </Button>
      ) : null}
      {tags.length === 0 ? <p className="gh-muted">No tags.</p> : null}
      <TagDialog
        subject={subject}
        pack={pack}
        onClose={() => setSubject(undefined)}
        onSave={(tag, version) => {
          actions.set(tag, version);
          setSubject(undefined);
        }}
      />
    </section>
  );
}
