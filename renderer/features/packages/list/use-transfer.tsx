import { IconPackageExport, IconSend } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, useCallback, useState } from 'react';
import type { RowAction } from '../../../ui/lists/row-menu.tsx';
import { ExportDialog } from './export-dialog.tsx';

interface Transfer {
  /** What takes a package, by its name, to another computer or registry. */
  actionsOf: (name: string) => RowAction[];
  /** The dialog of one of these actions, while it is open. */
  dialog: ReactNode;
}

/** The actions that take a package elsewhere. */
export function useTransfer(): Transfer {
  const navigate = useNavigate();
  const [exported, setExported] = useState<string>();
  const actionsOf = useCallback(
    (name: string) => [
      { label: 'Export as a bundle…', icon: IconPackageExport, startsGroup: true, run: () => setExported(name) },
      {
        label: 'Send to another registry…',
        icon: IconSend,
        run: () => void navigate({ to: '/upstream', search: { tab: 'outbox', package: name } }),
      },
    ],
    [navigate],
  );
  const dialog =
    exported === undefined ? null : <ExportDialog name={exported} onClose={() => setExported(undefined)} />;
  return { actionsOf, dialog };
}
