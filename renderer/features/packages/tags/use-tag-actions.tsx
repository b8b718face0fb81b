import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import type { PackageDetail } from '../../../../server/contract/packages.ts';
import { useChangeTag } from '../../../api/packages.ts';

export interface TagActions {
  /** Points the tag at the version, creating it if need be. */
  set: (tag: string, version: string) => void;
  remove: (tag: string) => void;
}

/** Setting and removing dist-tags of a package, each with a way back. */
export function useTagActions(pack: PackageDetail): TagActions {
  const { mutate } = useChangeTag(pack.id);
  const change = (tag: string, version: string | null) => {
    const before = pack.tags.find((each) => each.tag === tag)?.version ?? null;
    if (before === version) return;
    mutate(
      { tag, version },
      {
        onSuccess: () => {
          const id = `tag-${pack.id}-${tag}`;
          const undo = () => {
            notifications.hide(id);
            mutate({ tag, version: before });
          };
          notifications.hide(id);
          notifications.show({
            id,
            message: (
              <span className="gh-row">
                <span>{version === null ? `Removed ${tag}` : `${tag} now points to ${version}`}</span>
                <span className="gh-spacer" />
                <Button size="compact-xs" variant="light" onClick={undo}>
                  Undo
                </Button>
              </span>
            ),
          });
        },
      },
    );
  };
  return { set: (tag, version) => change(tag, version), remove: (tag) => change(tag, null) };
}
