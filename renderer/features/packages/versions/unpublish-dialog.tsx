import { Button, Group, Modal, Stack } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import type { PackageDetail } from '../../../../server/contract/packages.ts';
import { useUnpublish, useUnpublishPreview } from '../../../api/packages.ts';
import { useReleases } from '../../../api/releases.ts';
import { closedBy } from '../../inbox/release-text.ts';
import { quoted } from '../../../ui/feedback/ask.tsx';
import { ErrorNotice, Notice } from '../../../ui/feedback/notice.tsx';
import { said } from '../../../ui/feedback/toast.tsx';
import { plural } from '../../../ui/text/format.ts';
import { VersionList } from './version-list.tsx';

interface UnpublishDialogProps {
  pack: PackageDetail;
  versions: string[];
  onClose: () => void;
}

/** Asks before versions are unpublished: which they are, and what becomes of their tags. */
export function UnpublishDialog({ pack, versions, onClose }: UnpublishDialogProps) {
  const what =
    versions.length === 1 ? `${pack.name} ${versions[0]}` : `${plural(versions.length, 'version')} of ${pack.name}`;
  const title = versions.length === 1 ? quoted(what) : `${plural(versions.length, 'version')} of ${quoted(pack.name)}`;
  const unpublish = useUnpublish(pack.id, {
    onSuccess: () =>
      notifications.show({
        message: latest?.to ? said`Unpublished ${what} and moved latest to ${latest.to}` : said`Unpublished ${what}`,
      }),
  });
  // What was said before is said after: the versions are gone by then.
  const preview = useUnpublishPreview(pack.id, versions, !unpublish.isPending);
  const { removedTags = [], latest = null } = preview.data ?? {};
  const { data: waiting = [] } = useReleases();
  const changed = [...removedTags.map(({ tag }) => tag), ...(latest === null ? [] : ['latest'])];
  const closes = closedBy({ ...pack, tags: changed, unpublished: versions }, waiting);
  const isWhole = versions.length >= pack.versions.length;
  const next = pack.versions.find(({ version }) => version === latest?.to);
  const error = unpublish.error ?? preview.error;
  return (
    <Modal opened onClose={onClose} title={`Unpublish ${title}?`} size={480}>
      <Stack gap={12}>
        <VersionList label="Versions to unpublish" versions={versions} tags={pack.tags} />
        {isWhole ? (
          <Notice tone="warn">
            {versions.length === 1 ? 'It is the only version' : 'These are all its versions'}, so the package is
            deleted, too.
          </Notice>
        ) : (
          <>
            {latest === null ? null : next?.deprecated ? (
              <Notice tone="warn" title={`latest moves to ${next.version}, which is deprecated:`}>
                <q>{next.deprecated}</q>
              </Notice>
            ) : (
              <div>
                <strong>latest</strong>{' '}
                {latest.to === null
                  ? `is removed with ${versions.length === 1 ? 'it' : 'them'}.`
                  : `moves from ${latest.from} to ${latest.to}.`}
              </div>
            )}
            {removedTags.length === 0 ? null : (
              <div>
                {removedTags.length === 1 ? 'The tag ' : 'The tags '}
                <strong>{removedTags.map(({ tag }) => tag).join(', ')}</strong>{' '}
                {removedTags.length === 1 ? 'is removed' : 'are removed'} with {versions.length === 1 ? 'it' : 'them'}.
              </div>
            )}
          </>
        )}
        {closes === '' ? null : <div>{closes}</div>}
        <div>
          Installs that need {versions.length === 1 ? 'this version' : 'these versions'} may fail. Only a snapshot or a
          backup brings {versions.length === 1 ? 'it' : 'them'} back.
        </div>
        {error === null ? null : <ErrorNotice error={error} />}
        <Group justify="flex-end" gap={8} className="gh-dialog-footer">
          <Button variant="default" onClick={onClose} data-autofocus>
            Cancel
          </Button>
          <Button
            color="red"
            loading={unpublish.isPending}
            disabled={preview.isPending}
            onClick={() => unpublish.mutate(versions, { onSuccess: onClose })}
          >
            Unpublish
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
