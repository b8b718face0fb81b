import { ActionIcon, Button, Group } from '@mantine/core';
import { IconLock, IconPlus, IconRestore, IconTag, IconTrash } from '@tabler/icons-react';
import { useMemo, useState } from 'react';
import type { TagGuardView } from '../../../../server/contract/guards.ts';
import type { PackageDetail } from '../../../../server/contract/packages.ts';
import { selectGuard } from '../../../../server/contract/select-guard.ts';
import { useGuards } from '../../../api/guards.ts';
import { Chip } from '../../../ui/text/chip.tsx';
import { formatCount } from '../../../ui/text/format.ts';
import { TailText } from '../../../ui/text/tail-text.tsx';
import { RowMenu } from '../../../ui/lists/row-menu.tsx';
import { PublishPreviewDialog } from '../../guards/publish-preview.tsx';
import { orderTags } from './dist-tags.ts';
import { TagDialog, type TagDialogSubject } from './tag-dialog.tsx';
import { useTagActions } from './use-tag-actions.tsx';

/** More, such as a tag for each branch, are shown on demand. */
const shownAtFirst = 10;

/** The dist-tags of a package, to add, move and remove. */
export function TagPanel({ pack }: { pack: PackageDetail }) {
  const [subject, setSubject] = useState<TagDialogSubject>();
  const [all, setAll] = useState(false);
  const { data: guards } = useGuards(pack.projectId);
  const [previewed, setPreviewed] = useState<string>();
  const { remove } = useTagActions(pack);
  const tags = useMemo(() => orderTags(pack.tags, pack.versions), [pack.tags, pack.versions]);
  const shown = all || tags.length <= shownAtFirst + 2 ? tags : tags.slice(0, shownAtFirst);
  return (
    <section aria-label="Dist-tags">
      <Group justify="space-between" className="gh-aside-heading">
        <h2>Dist-tags</h2>
        <ActionIcon data-command="new" aria-label="Add a tag" data-tip="Add a tag" onClick={() => setSubject({})}>
          <IconPlus size={15} />
        </ActionIcon>
      </Group>
      <ul className="gh-tag-list">
        {shown.map(({ tag, version }) => (
          <li key={tag} data-tag={tag}>
            <span className="gh-row">
              <Chip tone={tag === 'latest' ? 'accent' : 'plain'}>{tag}</Chip>
              <TagLock guard={selectGuard(guards?.guards ?? [], tag)} tag={tag} onOpen={() => setPreviewed(tag)} />
            </span>
            <span className="gh-mono gh-truncate">
              <TailText text={version} tail={5} head={4} />
            </span>
            <RowMenu
              name={tag}
              label={`Change ${tag}`}
              actions={[
                ...(pack.versions.length > 1
                  ? [{ label: 'Move to another version…', icon: IconTag, run: () => setSubject({ tag }) }]
                  : []),
                {
                  label: tag === 'latest' ? 'Reset to the newest release' : 'Remove',
                  icon: tag === 'latest' ? IconRestore : IconTrash,
                  run: () => remove(tag),
                },
              ]}
            />
          </li>
        ))}
      </ul>
      {shown.length < tags.length ? (
        <Button variant="subtle" color="gray" size="compact-xs" onClick={() => setAll(true)}>
          Show all {formatCount(tags.length)}
        </Button>
      ) : null}
      {tags.length === 0 ? <p className="gh-muted">No tags.</p> : null}
      <TagDialog subject={subject} pack={pack} onClose={() => setSubject(undefined)} />
      {previewed === undefined ? null : (
        <PublishPreviewDialog projectId={pack.projectId} tag={previewed} onClose={() => setPreviewed(undefined)} />
      )}
    </section>
  );
}

interface TagLockProps {
  guard: TagGuardView | undefined;
  tag: string;
  onOpen: () => void;
}

/** Beside a guarded tag; opens who may move it. */
function TagLock({ guard, tag, onOpen }: TagLockProps) {
  if (guard === undefined) return null;
  return (
    <ActionIcon
      size={20}
      aria-label={`${tag} is guarded by ${guard.environment}: who may move it`}
      data-tip={`Guarded by ${guard.environment}: who may move it`}
      onClick={onOpen}
    >
      <IconLock size={13} />
    </ActionIcon>
  );
}
