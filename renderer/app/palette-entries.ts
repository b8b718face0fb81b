import { IconBox, IconFolder, IconSettings, IconShieldLock, IconUser, IconUsersGroup } from '@tabler/icons-react';
import { useDebouncedValue } from '@mantine/hooks';
import { useNavigate } from '@tanstack/react-router';
import { useMemo } from 'react';
import { useGroups, useProjects, useUsers } from '../api/directory.ts';
import { useAllProtectedEnvironments } from '../api/environments.ts';
import { usePackageMatches, usePackages } from '../api/packages.ts';
import { settingTitles } from '../features/settings/setting-titles.ts';
import { searchRank } from '../ui/forms/match-rank.ts';
import type { Command } from './commands.ts';
import { showSetting } from '../ui/page/reach.ts';
import { isTagApprovers } from '../api/tag-approvers.ts';

/** What the palette lists: a command, or something to open. */
export interface Entry {
  key: string;
  title: string;
  /** The kind of thing, at the right of its line; commands are grouped by it while nothing is typed. */
  kind: Command['group'] | 'Package' | 'Environment' | 'Project' | 'Group' | 'Person' | 'Setting';
  /** Tells it from others of that title. */
  detail: string;
  keywords: string;
  icon: typeof IconBox;
  shortcut?: string | undefined;
  run: () => void;
}

/** So many things of one kind are listed, so that ten thousand packages do not hide the commands. */
const shownOfAKind = 6;

/** The entries that match, best first; of equal ones the first. */
export function rankEntries(entries: readonly Entry[], typed: string): Entry[] {
  const counts = new Map<string, number>();
  return entries
    .flatMap((entry) => {
      const rank = searchRank(typed, entry.title, `${entry.detail} ${entry.keywords}`);
      return rank === undefined ? [] : [{ entry, rank }];
    })
    .toSorted((a, b) => a.rank - b.rank)
    .flatMap(({ entry }) => {
      const count = (counts.get(entry.kind) ?? 0) + 1;
      counts.set(entry.kind, count);
      return count > shownOfAKind ? [] : [entry];
    });
}

/** The commands as entries, without the palette itself and those that act on what the screen happens to have. */
export function commandEntries(commands: readonly Command[]): Entry[] {
  return commands.flatMap(({ id, title, group, icon, keywords, shortcut, keyOnly, run }) =>
    keyOnly === true ? [] : [{ key: id, title, kind: group, detail: '', keywords, icon, shortcut, run }],
  );
}

/** Everything else that can be opened by name, packages also by their descriptions and by the keywords that the server searches. */
export function useThings(typed: string): Entry[] {
  const navigate = useNavigate();
  const { data: packages = [] } = usePackages();
  const [settled] = useDebouncedValue(typed.trim(), 200);
  const { data: matches } = usePackageMatches(settled);
  const { data: projects = [] } = useProjects();
  const { data: groups = [] } = useGroups();
  const { data: users = [] } = useUsers();
  const { list: environments } = useAllProtectedEnvironments(projects, groups);
  return useMemo(
    () => [
      ...settingTitles.map((title): Entry => ({
        key: `setting ${title}`,
        title,
        kind: 'Setting',
        detail: '',
        keywords: 'settings preferences',
        icon: IconSettings,
        run: () => void navigate({ to: '/settings' }).then(() => showSetting(title)),
      })),
      ...packages.map(({ id, name, latest, description }): Entry => ({
        key: `package ${id}`,
        title: name,
        kind: 'Package',
        detail: latest ?? '',
        keywords: matches?.has(id) === true ? `${description} ${settled}` : description,
        icon: IconBox,
        run: () => void navigate({ to: '/packages/$packageId', params: { packageId: id } }),
      })),
      // Those that keep the approvers of tags are found as Tag approvals.
      ...environments
        .filter(({ name }) => !isTagApprovers(name))
        .map(({ owner, fullPath, name }): Entry => ({
          key: `environment ${fullPath} ${name}`,
          title: name,
          kind: 'Environment',
          detail: fullPath,
          keywords: '',
          icon: IconShieldLock,
          run: () =>
            void navigate({
              to: '/environments',
              search: 'groupId' in owner ? { groupId: owner.groupId, name } : { project: owner.projectId, name },
            }),
        })),
      ...projects.map(({ id, fullPath }): Entry => ({
        key: `project ${id}`,
        title: fullPath,
        kind: 'Project',
        detail: '',
        keywords: 'access members',
        icon: IconFolder,
        run: () => void navigate({ to: '/people/projects/$id', params: { id } }),
      })),
      ...groups.map(({ id, fullPath }): Entry => ({
        key: `group ${id}`,
        title: fullPath,
        kind: 'Group',
        detail: '',
        keywords: 'access members',
        icon: IconUsersGroup,
        run: () => void navigate({ to: '/people/groups/$id', params: { id } }),
      })),
      ...users.map(({ id, name, username }): Entry => ({
        key: `person ${id}`,
        title: name,
        kind: 'Person',
        detail: `@${username}`,
        keywords: 'access members',
        icon: IconUser,
        run: () => void navigate({ to: '/people/users/$id', params: { id } }),
      })),
    ],
    [packages, matches, settled, environments, projects, groups, users, navigate],
  );
}
