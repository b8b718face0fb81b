import { Button, Group, Modal } from '@mantine/core';
import { useBackupContents } from '../../api/maintenance.ts';
import { Pending } from '../../ui/feedback/pending.tsx';
import { formatBytes, formatCount } from '../../ui/text/format.ts';
import { ExactMoment } from '../../ui/text/moment.tsx';
import { PathText } from '../../ui/text/path-text.tsx';
import '../../ui/lists/facts.css';

interface BackupContentsProps {
  file: string;
  onClose: () => void;
}

/** What is in a backup. Restores nothing. */
export function BackupContents({ file, onClose }: BackupContentsProps) {
  const { data, error } = useBackupContents(file);
  // The two notes of a file are read at once: no room is held for waiting.
  if (data === undefined && error === null) return null;
  return (
    <Modal opened onClose={onClose} title="Contents of the backup" size={560}>
      {data === undefined ? (
        <Pending what="the backup" error={error} />
      ) : (
        <dl className="gh-facts">
          <dt>File</dt>
          <dd className="gh-mono">
            <PathText path={file} />
          </dd>
          <dt>Made</dt>
          <dd>
            <ExactMoment time={data.createdAt} />
          </dd>
          <dt>Made with</dt>
          <dd>Gatehouse {data.gatehouse}</dd>
          <dt>Size</dt>
          <dd>{formatBytes(data.size)}</dd>
          <dt>Packages</dt>
          <dd>{formatCount(data.packages)}</dd>
          <dt>Versions</dt>
          <dd>{formatCount(data.versions)}, with their tarballs and tags</dd>
          <dt>Also in it</dt>
          <dd>
            Users with passwords and tokens, groups, projects, rules, settings, activity, and the key that signs
            versions
          </dd>
          <dt>Not in it</dt>
          <dd>Tokens for other registries</dd>
        </dl>
      )}
      <Group justify="flex-end" gap={8} mt={16}>
        <Button data-autofocus onClick={onClose}>
          Close
        </Button>
      </Group>
    </Modal>
  );
}
