import { useNavigate } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import type { PackageDetail, PackageVersion } from '../../../../server/contract/packages.ts';
import { useUnpublish } from '../../../api/packages.ts';
import { ask } from '../../../ui/feedback/ask.tsx';
import { VirtualTable } from '../../../ui/lists/virtual-table.tsx';
import { DeprecateDialog } from './deprecate-dialog.tsx';
import { orderTags, tagsByVersion } from '../tags/dist-tags.ts';
import { TagDialog, type TagDialogSubject } from '../tags/tag-dialog.tsx';
import { useTagActions } from '../tags/use-tag-actions.tsx';
import { draggedType, versionColumns } from './version-columns.tsx';

/** The versions of a package; a row opens its page. A tag is moved by dragging it onto another row or with the menu of the row. */
export function VersionTable({ pack }: { pack: PackageDetail }) {
  const [subject, setSubject] = useState<TagDialogSubject>();
  const actions = useTagActions(pack);
  const [deprecating, setDeprecating] = useState<PackageVersion>();
  const { mutate: unpublish } = useUnpublish(pack.id);
  const navigate = useNavigate();
  const tags = useMemo(() => tagsByVersion(orderTags(pack.tags, pack.versions)), [pack.tags, pack.versions]);
  const columns = versionColumns({
    name: pack.name,
    tagsOf: (version) => tags.get(version) ?? [],
    actions,
    onTag: setSubject,
    onDeprecate: setDeprecating,
    onCompare: ({ version }) => {
      const before = pack.versions[pack.versions.findIndex((each) => each.version === version) + 1];
      void navigate({
        to: '/packages/$packageId/versions/$version',
        params: { packageId: pack.id, version },
        search: { tab: 'files', ...(before === undefined ? {} : { base: before.version }) },
      });
    },
    onUnpublish: ({ version }) =>
      ask({
        title: `Unpublish ${pack.name} ${version}?`,
        consequence:
          pack.versions.length === 1
            ? 'It is the only version, so the package is deleted, too. This cannot be undone.'
            : 'It is deleted with its tags. Lock files that name it no longer install. This cannot be undone.',
        action: 'Unpublish',
        run: () => unpublish(version),
      }),
  });
  return (
    <>
      <VirtualTable
        label={`Versions of ${pack.name}`}
        rows={pack.versions}
        columns={columns}
        rowKey={(version) => version.version}
        onOpen={({ version }) =>
          void navigate({ to: '/packages/$packageId/versions/$version', params: { packageId: pack.id, version } })
        }
        dropOnRow={{
          accepts: (event) => event.dataTransfer.types.includes(draggedType),
          drop: (version, event) => actions.set(event.dataTransfer.getData(draggedType), version.version),
        }}
      />
      {deprecating === undefined ? null : (
        <DeprecateDialog
          packageId={pack.id}
          subject={`${pack.name} ${deprecating.version}`}
          versions={[deprecating.version]}
          message={deprecating.deprecated ?? ''}
          onClose={() => setDeprecating(undefined)}
        />
      )}
      <TagDialog subject={subject} pack={pack} onClose={() => setSubject(undefined)} />
    </>
  );
}
