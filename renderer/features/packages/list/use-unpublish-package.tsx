import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { useCallback } from 'react';
import { call } from '../../../api/call.ts';
import { ask, quoted } from '../../../ui/feedback/ask.tsx';
import { said } from '../../../ui/feedback/toast.tsx';
import { plural } from '../../../ui/text/format.ts';

interface Subject {
  id: number;
  name: string;
  versionCount: number;
}

/** Unpublishes a whole package once that is confirmed. */
export function useUnpublishPackage(onDone?: () => void): (pack: Subject) => void {
  const { mutate } = useMutation({
    mutationFn: ({ id }: Subject) => call('packages.unpublish', { packageId: id }),
    onSuccess: (_nothing, { name }) => {
      onDone?.();
      notifications.show({ message: said`Unpublished ${name}` });
    },
  });
  return useCallback(
    (pack) =>
      ask({
        title: `Unpublish all versions of ${quoted(pack.name)}?`,
        consequence:
          pack.versionCount === 1
            ? 'Its only version is deleted with its tags. Installs that need it may fail. Only a snapshot or a backup brings it back.'
            : `${pack.versionCount === 2 ? 'Both versions' : `All ${plural(pack.versionCount, 'version')}`} are deleted with their tags. Installs that need them may fail. Only a snapshot or a backup brings them back.`,
        action: 'Unpublish',
        run: () => mutate(pack),
      }),
    [mutate],
  );
}
