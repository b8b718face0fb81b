import { IconAlertTriangle, IconCircleOff, IconTrash } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { PackageDetail } from '../../../../server/contract/packages.ts';
import { RowMenu } from '../../../ui/lists/row-menu.tsx';
import { DeprecateDialog } from '../versions/deprecate-dialog.tsx';
import { isDeprecated, useDeprecate } from '../versions/use-deprecate.tsx';
import { useTransfer } from './use-transfer.tsx';
import { useUnpublishPackage } from './use-unpublish-package.tsx';

/** The actions of a whole package. */
export function PackageMenu({ pack }: { pack: PackageDetail }) {
  const [deprecating, setDeprecating] = useState(false);
  const navigate = useNavigate();
  const transfer = useTransfer();
  const unpublish = useUnpublishPackage(() => void navigate({ to: '/packages' }));
  const { deprecate } = useDeprecate(pack.id);
  const { versions } = pack;
  const subject = `all versions of ${pack.name}`;
  const deprecation = isDeprecated(versions)
    ? [
        { label: 'Change the deprecation…', icon: IconAlertTriangle, run: () => setDeprecating(true) },
        {
          label: 'Remove the deprecation',
          icon: IconCircleOff,
          run: () => deprecate({ subject, versions, message: '' }),
        },
      ]
    : [{ label: 'Deprecate all versions…', icon: IconAlertTriangle, run: () => setDeprecating(true) }];
  return (
    <>
      <RowMenu
        name={pack.name}
        actions={[
          ...transfer.actionsOf(pack.name),
          ...deprecation.map((action, index) => ({ ...action, startsGroup: index === 0 })),
          { label: 'Unpublish all versions…', icon: IconTrash, danger: true, run: () => unpublish(pack) },
        ]}
      />
      {transfer.dialog}
      {deprecating ? (
        <DeprecateDialog
          packageId={pack.id}
          subject={subject}
          versions={versions}
          onClose={() => setDeprecating(false)}
        />
      ) : null}
    </>
  );
}
