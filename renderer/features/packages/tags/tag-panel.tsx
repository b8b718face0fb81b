import { ActionIcon, Button, Group } from '@mantine/core';
import {
  IconLock,
  IconLockOpen,
  IconPlus,
  IconRestore,
  IconShieldLock,
  IconTag,
  IconTrash,
  IconUsers,
} from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { hasEffect, type TagGuardView } from '../../../../server/contract/guards.ts';
import type { PackageDetail } from '../../../../server/contract/packages.ts';
import { selectGuard } from '../../../../server/contract/select-guard.ts';
import { useGuards } from '../../../api/guards.ts';
import { Chip } from '../../../ui/text/chip.tsx';
import { formatCount } from '../../../ui/text/format.ts';
import { TailText } from '../../../ui/text/tail-text.tsx';
import { RowMenu, type RowAction } from '../../../ui/lists/row-menu.tsx';
import { PublishPreviewDialog } from '../../guards/publish-preview.tsx';
import { RequireApprovalDialog } from '../../guards/require-approval-dialog.tsx';
import { useRemoveGuard } from '../../guards/use-remove-guard.tsx';
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
  const [required, setRequired] = useState<string>();
  const { remove } = useTagActions(pack);
  const removeGuard = useRemoveGuard(pack.projectId);
  const navigate = useNavigate();
  const tags = useMemo(() => orderTags(pack.tags, pack.versions), [pack.tags, pack.versions]);
  const shown = all || tags.length <= shownAtFirst + 2 ? tags : tags.slice(0, shownAtFirst);
  const actionsOfGuard = (guard: TagGuardView, tag: string): RowAction[] => [
    { label: 'Check who may publish…', icon: IconUsers, run: () => setPreviewed(tag) },
    {
      label: 'Show tag approvals',
      icon: IconShieldLock,
      run: () => void navigate({ to: '/environments', search: { project: pack.projectId, view: 'tags' } }),
    },
    // One of a pattern is about other tags, too.
    ...(guard.pattern === tag
      ? [
          {
            label: guards?.onRefusal === 'stage' ? 'No longer require approval…' : 'Remove the guard…',
            icon: IconLockOpen,
            run: () => removeGuard(guard),
          },
        ]
      : []),
  ];
  const actionsOf = (tag: string, version: string): RowAction[] => {
    const move = { label: `Move ${tag}…`, icon: IconTag, run: () => setSubject({ tag }) };
    const reset = {
      label: `Move latest to the newest release (${pack.newest})`,
      icon: IconRestore,
      run: () => remove(tag),
    };
    const away =
      tag === 'latest'
        ? reset
        : { label: 'Remove', icon: IconTrash, danger: true, startsGroup: true, run: () => remove(tag) };
    const require = { label: 'Require approval…', icon: IconLock, run: () => setRequired(tag) };
    const guard = selectGuard(guards?.guards ?? [], tag);
    return [
      ...(pack.versions.length > 1 ? [move] : []),
      ...(guard !== undefined && hasEffect(guard) ? actionsOfGuard(guard, tag) : [require]),
      ...(away === reset && version === pack.newest ? [] : [away]),
    ];
  };
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
            <div className="gh-tag-line">
              <span className="gh-row">
                <Chip tone={tag === 'latest' ? 'accent' : 'plain'}>{tag}</Chip>
                <TagLock
                  guard={selectGuard(guards?.guards ?? [], tag)}
                  tag={tag}
                  isStaged={guards?.onRefusal === 'stage'}
                  onOpen={() => setPreviewed(tag)}
                />
              </span>
              <span className="gh-mono gh-truncate">
                <TailText text={version} tail={14} head={4} />
              </span>
            </div>
            {menuOf(tag, actionsOf(tag, version))}
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
      {required === undefined ? null : (
        <RequireApprovalDialog
          projects={[{ id: pack.projectId, fullPath: pack.projectPath }]}
          tag={required}
          onClose={() => setRequired(undefined)}
        />
      )}
    </section>
  );
}

/** No button where nothing can be done: `latest` of an only version. */
const menuOf = (tag: string, actions: readonly RowAction[]) =>
  actions.length === 0 ? null : <RowMenu name={tag} label={`Change ${tag}`} actions={actions} />;

interface TagLockProps {
  guard: TagGuardView | undefined;
  tag: string;
  /** What may not be published waits for approval, instead of failing. */
  isStaged: boolean;
  onOpen: () => void;
}

/** Beside a guarded tag; opens who may publish to it. */
function TagLock({ guard, tag, isStaged, onOpen }: TagLockProps) {
  if (guard === undefined) return null;
  const state = hasEffect(guard) && isStaged ? 'requires approval' : 'is guarded';
  return (
    <ActionIcon
      size={20}
      aria-label={`${tag} ${state}: who may publish`}
      data-tip={`This tag ${state}. Show who may publish`}
      onClick={onOpen}
    >
      <IconLock size={13} />
    </ActionIcon>
  );
}
