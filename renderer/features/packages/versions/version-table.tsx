import { Button, CloseButton } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import type { PackageDetail, PackageVersion } from '../../../../server/contract/packages.ts';
import { SearchField } from '../../../ui/forms/search-field.tsx';
import { ListPanel } from '../../../ui/lists/list-panel.tsx';
import { useRowSelection } from '../../../ui/lists/row-selection.tsx';
import { formatCount } from '../../../ui/text/format.ts';
import { tip } from '../../../ui/text/tip.ts';
import { orderTags, tagsByVersion } from '../tags/dist-tags.ts';
import { useTagActions } from '../tags/use-tag-actions.tsx';
import { useVersionActions } from './version-actions.tsx';
import { draggedType, versionColumns, versionRowHeight } from './version-columns.tsx';

/** The versions of a package; a row opens its page. A tag is moved by dragging it onto another row or with the menu of the row. */
export function VersionTable({ pack }: { pack: PackageDetail }) {
  const { set } = useTagActions(pack);
  const [search, setSearch] = useState('');
  const navigate = useNavigate();
  const tags = useMemo(() => tagsByVersion(orderTags(pack.tags, pack.versions)), [pack.tags, pack.versions]);
  const tagsOf = (version: string) => tags.get(version) ?? [];
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
  const { actionsOf, deprecate, unpublish, compare, dialogs } = useVersionActions(pack, clear);
  const columns = versionColumns({ tagsOf, actionsOf, hasImported: pack.versions.some(({ imported }) => imported) });
  const [newer, older] = selected;
  const pair = newer && older && selected.length === 2 ? ([newer.version, older.version] as const) : undefined;
  return (
    <div className="gh-tabbed">
      <ListPanel
        bar={
          <>
            <SearchField label="Search versions" value={search} onChange={setSearch} />
            {selected.length === 0 ? null : (
              <div className="gh-row gh-bar-end">
                <span role="status">{formatCount(selected.length)} selected</span>
                {shown.length > 1 ? (
                  <Button
                    variant="default"
                    // Stays in reach of the keyboard, which then reads why.
                    {...(pair === undefined && {
                      'data-disabled': true,
                      'aria-disabled': true,
                      ...tip('Select two versions to compare them'),
                    })}
                    onClick={() => pair && compare(...pair)}
                  >
                    Compare
                  </Button>
                ) : null}
                <Button variant="default" onClick={() => deprecate(selected)}>
                  Deprecate…
                </Button>
                <Button variant="default" c="var(--gh-danger)" onClick={() => unpublish(selected)}>
                  Unpublish…
                </Button>
                <CloseButton aria-label="Clear the selection" onClick={clear} />
              </div>
            )}
          </>
        }
        what="the versions"
        error={null}
        empty="No versions match"
        label={`Versions of ${pack.name}`}
        memory={`versions of ${pack.id}`}
        rows={shown}
        columns={[column, ...columns]}
        rowKey={keyOf}
        rowHeight={versionRowHeight}
        selection={selection}
        onOpen={({ version }) =>
          void navigate({ to: '/packages/$packageId/versions/$version', params: { packageId: pack.id, version } })
        }
        dropOnRow={{
          accepts: (event) => event.dataTransfer.types.includes(draggedType),
          drop: (version, event) => set(event.dataTransfer.getData(draggedType), version.version),
        }}
      />
      {dialogs}
    </div>
  );
}

const keyOf = ({ version }: PackageVersion): string => version;
