import { Button } from '@mantine/core';
import { IconDownload, IconFolderOpen } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import type { VersionSubject } from '../../../../server/contract/bridge.ts';
import { downloadTarball, showTarball } from '../../../api/app.ts';
import { said, showDone } from '../../../ui/feedback/toast.tsx';

/** Saves the tarball of a version where the person says, and then offers to show the file. */
export function useDownloadTarball() {
  const { mutate: show } = useMutation({ mutationFn: showTarball });
  return useMutation({
    mutationFn: downloadTarball,
    onSuccess: (file, subject) =>
      file !== null &&
      showDone(said`Saved ${file.replace(/^.*[/\\]/, '')} to ${file.replace(/[/\\][^/\\]*$/, '')}`, {
        label: 'Show',
        run: () => show({ ...subject, which: 'saved' }),
      }),
  });
}

/** Saves the tarball of a version, and shows the stored one in the file manager. */
export function TarballButtons({ subject }: { subject: VersionSubject }) {
  const download = useDownloadTarball();
  const { mutate: show } = useMutation({ mutationFn: showTarball });
  return (
    <>
      <Button
        variant="default"
        leftSection={<IconDownload size={15} aria-hidden="true" />}
        loading={download.isPending}
        onClick={() => download.mutate(subject)}
      >
        Download tarball…
      </Button>
      <Button
        variant="default"
        leftSection={<IconFolderOpen size={15} aria-hidden="true" />}
        onClick={() => show({ ...subject, which: 'stored' })}
      >
        Show in data folder
      </Button>
    </>
  );
}
