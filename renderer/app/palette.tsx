import '@mantine/spotlight/styles.layer.css';
import { Kbd } from '@mantine/core';
import { Spotlight, type SpotlightActionGroupData } from '@mantine/spotlight';
import { IconBox, IconSearch } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { usePackages } from '../api/packages.ts';
import { formatShortcut } from '../ui/forms/keyboard.ts';
import type { Command } from './commands.ts';
import './palette.css';

const packagesShown = 6;

/** The command palette: commands and packages by name. Loaded on demand, hence the default export. */
export default function Palette({ commands }: { commands: readonly Command[] }) {
  const [query, setQuery] = useState('');
  const navigate = useNavigate();
  const { data: packages = [] } = usePackages();

  const actions = useMemo(() => {
    const words = query.toLowerCase().split(/\s+/).filter(Boolean);
    const matches = (text: string) => words.every((word) => text.includes(word));
    const groups: SpotlightActionGroupData[] = [];
    for (const group of ['Go to', 'Do', 'Appearance', 'Help'] as const) {
      const found = commands.filter(
        ({ id, title, keywords, ...command }) =>
          command.group === group && id !== 'palette' && matches(`${group} ${title} ${keywords}`.toLowerCase()),
      );
      if (found.length === 0) continue;
      groups.push({
        group,
        actions: found.map(({ id, title, icon: Icon, shortcut, run }) => ({
          id,
          label: title,
          leftSection: <Icon size={16} aria-hidden="true" />,
          onClick: run,
          rightSection: shortcut === undefined ? null : <Kbd>{formatShortcut(shortcut)}</Kbd>,
        })),
      });
    }
    const found = words.length === 0 ? [] : packages.filter((pack) => matches(pack.name.toLowerCase()));
    if (found.length > 0) {
      groups.unshift({
        group: 'Packages',
        actions: found.slice(0, packagesShown).map((pack) => ({
          id: `package-${pack.id}`,
          label: pack.name,
          description: pack.latest ?? '',
          leftSection: <IconBox size={16} aria-hidden="true" />,
          onClick: () => void navigate({ to: '/packages/$packageId', params: { packageId: pack.id } }),
        })),
      });
    }
    return groups;
  }, [commands, packages, query, navigate]);

  return (
    <Spotlight
      actions={actions}
      query={query}
      onQueryChange={setQuery}
      // Filtered above already.
      filter={(_query, list) => list}
      shortcut={null}
      classNames={{
        content: 'gh-palette',
        search: 'gh-palette-search',
        actionsGroup: 'gh-palette-group',
        action: 'gh-palette-action',
        actionLabel: 'gh-palette-label',
        actionSection: 'gh-palette-section',
      }}
      attributes={{ content: { 'aria-label': 'Command palette' } }}
      overlayProps={{ backgroundOpacity: 0.35, blur: 0 }}
      nothingFound="Nothing found"
      highlightQuery
      scrollable
      maxHeight={420}
      radius="lg"
      size={560}
      transitionProps={{ duration: 90, transition: 'fade' }}
      searchProps={{
        leftSection: <IconSearch size={17} aria-hidden="true" />,
        placeholder: 'Search packages and commands',
        'aria-label': 'Search packages and commands',
        size: 'md',
      }}
    />
  );
}
