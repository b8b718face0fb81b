import { notifications } from '@mantine/notifications';
import type { PackageDetail } from '../../../../server/contract/packages.ts';
import { useChangeTag } from '../../../api/packages.ts';
import { useReleases } from '../../../api/releases.ts';
import { closedBy } from '../../inbox/release-text.ts';
import { said, showDone } from '../../../ui/feedback/toast.tsx';

export interface TagActions {
  /** Points the tag at the version, creating it if need be. */
  set: (tag: string, version: string) => void;
  remove: (tag: string) => void;
}

/** Setting and removing dist-tags of a package, each with a way back. */
export function useTagActions(pack: PackageDetail): TagActions {
  const waiting = useReleases().data ?? [];
  const { mutate: restore } = useChangeTag(pack.id, ({ tag, version }) => {
    const message =
      version !== null
        ? said`${tag} of ${pack.name} points to ${version} again`
        : tag === 'latest'
          ? said`latest of ${pack.name} is the newest release again`
          : said`${pack.name} no longer has the tag ${tag}`;
    notifications.show({ message });
  });
  const { mutate } = useChangeTag(pack.id, ({ tag, version }, before) => {
    const to = version ?? (tag === 'latest' ? pack.newest : null);
    const closed = closedBy({ ...pack, tags: [tag] }, waiting);
    const message = (
      <>
        {to === null ? said`Removed ${tag} from ${pack.name}` : said`${tag} of ${pack.name} now points to ${to}`}
        <div>{closed}</div>
      </>
    );
    showDone(message, {
      label: 'Undo',
      run: () => restore({ tag, version: before, expected: version }),
    });
  });
  const change = (tag: string, version: string | null) => {
    if ((pack.tags.find((each) => each.tag === tag)?.version ?? null) !== version) mutate({ tag, version });
  };
  return { set: (tag, version) => change(tag, version), remove: (tag) => change(tag, null) };
}
