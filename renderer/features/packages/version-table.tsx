import { useMemo, useState } from 'react';
import type { PackageDetail } from '../../../server/contract/packages.ts';
import { VirtualTable } from '../../ui/virtual-table.tsx';
import { orderTags, tagsByVersion } from './dist-tags.ts';
import { TagDialog, type TagDialogSubject } from './tag-dialog.tsx';
import { useTagActions } from './use-tag-actions.tsx';
import { draggedType, versionColumns } from './version-columns.tsx';

/** The versions of a package. A tag is moved by dragging it onto another row, or by the menu of the row. */
export function VersionTable({ pack }: { pack: PackageDetail }) {
  const [subject, setSubject] = useState<TagDialogSubject>();
  const actions = useTagActions(pack);
  const tags = useMemo(() => tagsByVersion(orderTags(pack.tags, pack.versions)), [pack.tags, pack.versions]);
  const columns = versionColumns({
    name: pack.name,
    tagsOf: (version) => tags.get(version) ?? [],
    actions,
    onTag: setSubject,
  });
  return (
    <>
      <VirtualTable
        label={`Versions of ${pack.name}`}
        rows={pack.versions}
        columns={columns}
        rowKey={(version) => version.version}
        dropOnRow={{
          accepts: (_version, event) => event.dataTransfer.types.includes(draggedType),
          drop: (version, event) => actions.set(event.dataTransfer.getData(draggedType), version.version),
        }}
      />
      <TagDialog
        subject={subject}
        pack={pack}
        onClose={() => setSubject(undefined)}
        onSave={(tag, version) => {
          actions.set(tag, version);
          setSubject(undefined);
        }}
      />
    </>
  );
}
