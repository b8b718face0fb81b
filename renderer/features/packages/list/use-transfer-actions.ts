import { IconPackageExport, IconSend } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { useCallback } from 'react';
import type { RowAction } from '../../../ui/lists/row-menu.tsx';

/** The actions that take a package, by its name, to another computer or registry. */
export function useTransferActions(): (name: string) => RowAction[] {
  const navigate = useNavigate();
  return useCallback(
    (name) => {
      const to = (tab: 'bundles' | 'outbox') => () =>
        void navigate({ to: '/upstream', search: { tab, package: name } });
      return [
        { label: 'Export as a bundle…', icon: IconPackageExport, startsGroup: true, run: to('bundles') },
        { label: 'Send to another registry…', icon: IconSend, run: to('outbox') },
      ];
    },
    [navigate],
  );
}
