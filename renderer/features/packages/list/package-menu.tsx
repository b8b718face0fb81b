import { notifications } from '@mantine/notifications';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { PackageDetail } from '../../../../server/contract/packages.ts';
import { useUnpublish } from '../../../api/packages.ts';
import { ask } from '../../../ui/feedback/ask.tsx';
import { plural } from '../../../ui/text/format.ts';
import { RowMenu } from '../../../ui/lists/row-menu.tsx';
import { DeprecateDialog } from '../versions/deprecate-dialog.tsx';

/** The actions of a whole package. */
export function PackageMenu({ pack }: { pack: PackageDetail }) {
  const [deprecating, setDeprecating] = useState(false);
  const navigate = useNavigate();
  const { mutate: unpublish } = useUnpublish(pack.id, {
    onSuccess: () => {
      void navigate({ to: '/packages' });
      notifications.show({ message: `Unpublished ${pack.name}` });
    },
  });
  return (
    <>
      <RowMenu
        name={pack.name}
        actions={[
          { label: 'Deprecate all versions…', run: () => setDeprecating(true) },
          {
            label: 'Unpublish…',
            danger: true,
            run: () =>
              ask({
                title: `Unpublish ${pack.name}?`,
                consequence:
                  pack.versions.length === 1
                    ? 'Its only version is deleted with its tags. Installs fail in projects whose lockfile has it. This cannot be undone.'
                    : `All ${plural(pack.versions.length, 'version')} are deleted with their tags. Installs fail in projects whose lockfile has one of them. This cannot be undone.`,
                action: 'Unpublish',
                run: () => unpublish(null),
              }),
          },
        ]}
      />
      {deprecating ? (
        <DeprecateDialog
          packageId={pack.id}
          subject={pack.name}
          versions={pack.versions}
          onClose={() => setDeprecating(false)}
        />
      ) : null}
    </>
  );
}
