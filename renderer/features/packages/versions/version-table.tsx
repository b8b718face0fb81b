import { Button, CloseButton } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import type { PackageDetail, PackageVersion } from '../../../../server/contract/packages.ts';
import { SearchField } from '../../../ui/forms/search-field.tsx';
import { ListPanel } from '../../../ui/lists/list-panel.tsx';
import { useRowSelection } from '../../../ui/lists/row-selection.tsx';
import { formatCount, plural } from '../../../ui/text/format.ts';
import { DeprecateDialog } from './deprecate-dialog.tsx';
import { orderTags, tagsByVersion } from '../tags/dist-tags.ts';
import { TagDialog, type TagDialogSubject } from '../tags/tag-dialog.tsx';
import { useTagActions } from '../tags/use-tag-actions.tsx';
import { UnpublishDialog } from './unpublish-dialog.tsx';
import { draggedType, versionColumns } from './version-columns.tsx';

/** The versions of a package; a row opens its page. A tag is moved by dragging it onto another row or with the menu of the row. */
export function VersionTable({ pack }: { pack: PackageDetail }) {
  const [subject, setSubject] = useState<TagDialogSubject>();
  const actions = useTagActions(pack);
  const [deprecating, setDeprecating] = useState<readonly PackageVersion[]>([]);
  const [unpublishing, setUnpublishing] = useState<readonly PackageVersion[]>([]);
  const [search, setSearch] = useState('');
  const navigate = useNavigate();
  const tags = useMemo(() => tagsByVersion(orderTags(pack.tags, pack.versions)), [pack.tags, pack.versions]);
  const tagsOf = (version: string) => tags.get(version) ?? [];
  const columns = versionColumns({
    name: pack.name,
    tagsOf,
    actions,
    onTag: setSubject,
    onDeprecate: (version) => setDeprecating([version]),
    onUnpublish: (version) => setUnpublishing([version]),
    onCompare: ({ version }) => {
      const before = pack.versions[pack.versions.findIndex((each) => each.version === version) + 1];
      void navigate({
        to: '/packages/$packageId/versions/$version',
        params: { packageId: pack.id, version },
        search: { tab: 'files', ...(before === undefined ? {} : { base: before.version }) },
      });
    },
  });
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  const shown = pack.versions.filter((version) => {
    const { publisher, deprecated } = version;
    const text = [
      version.version,
      ...tagsOf(version.version),
      publisher ?? '',
      deprecated === null ? '' : 'deprecated',
    ];
    return words.every((word) => text.join(' ').toLowerCase().includes(word));
  });
  const { selected, selection, column, clear } = useRowSelection(shown, keyOf, keyOf);
  const messages = new Set(deprecating.map(({ deprecated }) => deprecated ?? ''));
  return (
    <div className="gh-tabbed">
      <ListPanel
        bar={
          <>
            <SearchField label="Search versions" value={search} onChange={setSearch} />
            <span className="gh-spacer" />
            {selected.length === 0 ? null : (
              <>
                <span role="status">{formatCount(selected.length)} selected</span>
                <Button variant="default" onClick={() => setDeprecating(selected)}>
                  Deprecate…
                </Button>
                <Button variant="default" c="var(--gh-danger)" onClick={() => setUnpublishing(selected)}>
                  Unpublish…
                </Button>
                <CloseButton aria-label="Clear the selection" onClick={clear} />
              </>
            )}
          </>
        }
        what="the versions"
        error={null}
        empty="No versions match"
        label={`Versions of ${pack.name}`}
        rows={shown}
        columns={[column, ...columns]}
        rowKey={keyOf}
        selection={selection}
        onOpen={({ version }) =>
          void navigate({ to: '/packages/$packageId/versions/$version', params: { packageId: pack.id, version } })
        }
        dropOnRow={{
          accepts: (event) => event.dataTransfer.types.includes(draggedType),
          drop: (version, event) => actions.set(event.dataTransfer.getData(draggedType), version.version),
        }}
      />
      {deprecating.length === 0 ? null : (
        <DeprecateDialog
          packageId={pack.id}
          subject={
            deprecating.length === 1
              ? `${pack.name} ${deprecating[0]?.version}`
              : `${plural(deprecating.length, 'version')} of ${pack.name}`
          }
          versions={deprecating.map(keyOf)}
          message={messages.size === 1 ? ([...messages][0] ?? '') : null}
          onClose={() => setDeprecating([])}
        />
      )}
      {unpublishing.length === 0 ? null : (
        <UnpublishDialog pack={pack} versions={unpublishing.map(keyOf)} onClose={() => setUnpublishing([])} />
      )}
      <TagDialog subject={subject} pack={pack} onClose={() => setSubject(undefined)} />
    </div>
  );
}

const keyOf = ({ version }: PackageVersion): string => version;
