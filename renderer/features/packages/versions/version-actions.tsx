import {
  IconAlertTriangle,
  IconCircleOff,
  IconCopy,
  IconDownload,
  IconGitCompare,
  IconHash,
  IconLink,
  IconTag,
  IconTrash,
} from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import type { PackageDetail, PackageVersion } from '../../../../server/contract/packages.ts';
import { selectGuard } from '../../../../server/contract/select-guard.ts';
import { tarballUrl } from '../../../api/client-lines.ts';
import { useGuards } from '../../../api/guards.ts';
import { useServerStatus } from '../../../api/overview.ts';
import { copyAndSay } from '../../../ui/feedback/toast.tsx';
import type { RowAction } from '../../../ui/lists/row-menu.tsx';
import { plural } from '../../../ui/text/format.ts';
import { installCommand } from '../page/install-command.ts';
import { TagDialog, type TagDialogSubject } from '../tags/tag-dialog.tsx';
import { useTagActions } from '../tags/use-tag-actions.tsx';
import { useDownloadTarball } from '../version/tarball-buttons.tsx';
import { DeprecateDialog } from './deprecate-dialog.tsx';
import { UnpublishDialog } from './unpublish-dialog.tsx';
import { useDeprecate } from './use-deprecate.tsx';

interface VersionActions {
  /** For the menu of one version. */
  actionsOf: (version: PackageVersion) => RowAction[];
  deprecate: (versions: readonly PackageVersion[]) => void;
  unpublish: (versions: readonly PackageVersion[]) => void;
  /** Opens what changed from `base` to `version`. */
  compare: (version: string, base: string) => void;
  /** Stands on the page. */
  dialogs: ReactNode;
}

/**
 * What can be done to the versions of a package, in the list of versions and on the page of one.
 * @param onDeprecated versions were deprecated, or no longer are.
 */
export function useVersionActions(pack: PackageDetail, onDeprecated?: () => void): VersionActions {
  const [subject, setSubject] = useState<TagDialogSubject>();
  const [deprecating, setDeprecating] = useState<readonly PackageVersion[]>([]);
  const [unpublishing, setUnpublishing] = useState<readonly PackageVersion[]>([]);
  const navigate = useNavigate();
  const tagActions = useTagActions(pack);
  const { deprecate: removeDeprecation } = useDeprecate(pack.id);
  const { mutate: download } = useDownloadTarball();
  const { data: guards } = useGuards(pack.projectId);
  const { data: status } = useServerStatus();
  const isLatestGuarded = selectGuard(guards?.guards ?? [], 'latest') !== undefined;

  const compare = (version: string, base: string) =>
    void navigate({
      to: '/packages/$packageId/versions/$version',
      params: { packageId: pack.id, version },
      search: { tab: 'files', base },
    });
  const actionsOf = (listed: PackageVersion): RowAction[] => {
    const { version, integrity, deprecated } = listed;
    const tags = pack.tags.filter((each) => each.version === version).map(({ tag }) => tag);
    const base = versionBefore(pack.versions, version);
    const moveLatest = {
      label: isLatestGuarded ? 'Move latest here…' : 'Move latest here',
      icon: IconTag,
      run: () => (isLatestGuarded ? setSubject({ tag: 'latest', version }) : tagActions.set('latest', version)),
    };
    return [
      // First what opens a dialog: a key too many chooses the first one.
      { label: 'Add a tag…', icon: IconTag, run: () => setSubject({ version }) },
      ...(tags.includes('latest') ? [] : [moveLatest]),
      ...(pack.versions.length > 1 ? tags : []).map((tag) => ({
        label: `Move ${tag}…`,
        icon: IconTag,
        run: () => setSubject({ tag }),
      })),
      ...tags
        .filter((tag) => tag !== 'latest')
        .map((tag) => ({ label: `Remove the tag ${tag}`, icon: IconTrash, run: () => tagActions.remove(tag) })),
      ...(base === undefined
        ? []
        : [
            {
              label: `Compare with ${base}`,
              icon: IconGitCompare,
              startsGroup: true,
              run: () => compare(version, base),
            },
          ]),
      {
        label: 'Download tarball…',
        icon: IconDownload,
        startsGroup: base === undefined,
        run: () => download({ packageId: pack.id, version }),
      },
      {
        label: 'Copy install command',
        icon: IconCopy,
        run: () => copyAndSay(installCommand('npm', pack.name, version), 'the install command'),
      },
      ...(status === undefined
        ? []
        : [
            {
              label: 'Copy tarball URL',
              icon: IconLink,
              run: () =>
                copyAndSay(
                  tarballUrl({ origin: status.origin, projectId: pack.projectId }, pack.name, version),
                  'the tarball URL',
                ),
            },
          ]),
      { label: 'Copy integrity', icon: IconHash, run: () => copyAndSay(integrity, 'the integrity') },
      {
        label: deprecated === null ? 'Deprecate…' : 'Change the deprecation…',
        icon: IconAlertTriangle,
        startsGroup: true,
        run: () => setDeprecating([listed]),
      },
      ...(deprecated === null
        ? []
        : [
            {
              label: 'Remove the deprecation',
              icon: IconCircleOff,
              run: () => removeDeprecation({ subject: `${pack.name} ${version}`, versions: [listed], message: '' }),
            },
          ]),
      {
        label: 'Unpublish…',
        icon: IconTrash,
        danger: true,
        run: () => setUnpublishing([listed]),
      },
    ];
  };
  const dialogs = (
    <>
      {deprecating.length === 0 ? null : (
        <DeprecateDialog
          packageId={pack.id}
          subject={
            deprecating.length === 1
              ? `${pack.name} ${deprecating[0]?.version}`
              : `${plural(deprecating.length, 'version')} of ${pack.name}`
          }
          versions={deprecating}
          tags={pack.tags}
          onDone={onDeprecated}
          onClose={() => setDeprecating([])}
        />
      )}
      {unpublishing.length === 0 ? null : (
        <UnpublishDialog
          pack={pack}
          versions={unpublishing.map(({ version }) => version)}
          onClose={() => setUnpublishing([])}
        />
      )}
      <TagDialog subject={subject} pack={pack} onClose={() => setSubject(undefined)} />
    </>
  );
  return { actionsOf, deprecate: setDeprecating, unpublish: setUnpublishing, compare, dialogs };
}

const isPrerelease = (version: string): boolean => /^[^+]*-/.test(version);

/**
 * The version that a reader compares `version` with: for a release the release before it, else whatever comes before.
 * @param versions newest first.
 */
export function versionBefore(versions: readonly { version: string }[], version: string): string | undefined {
  const older = versions.slice(versions.findIndex((each) => each.version === version) + 1);
  const release = isPrerelease(version) ? undefined : older.find((each) => !isPrerelease(each.version));
  return (release ?? older[0])?.version;
}
