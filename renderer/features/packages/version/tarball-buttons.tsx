import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconDownload, IconFolderOpen } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { tip } from '../../../ui/text/tip.ts';
import type { VersionSubject } from '../../../../server/contract/bridge.ts';
import { downloadTarball, showTarball } from '../../../api/app.ts';

/** Saves the tarball of a version, and shows the file in the file manager. */
export function TarballButtons({ subject }: { subject: VersionSubject }) {
  const download = useMutation({
    mutationFn: () => downloadTarball(subject),
    onSuccess: (file) => file !== null && notifications.show({ message: `Saved to ${file}` }),
  });
  const show = useMutation({ mutationFn: () => showTarball(subject) });
  return (
    <>
      <Button
        variant="default"
        leftSection={<IconFolderOpen size={15} aria-hidden="true" />}
        {...tip('The copy you saved last, otherwise the file in the data folder')}
        onClick={() => show.mutate()}
      >
        Show in folder
      </Button>
      <Button
        variant="default"
        leftSection={<IconDownload size={15} aria-hidden="true" />}
        loading={download.isPending}
        onClick={() => download.mutate()}
      >
        Download tarball
      </Button>
    </>
  );
}
