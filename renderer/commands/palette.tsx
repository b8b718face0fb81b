import '@mantine/spotlight/styles.layer.css';
import { Spotlight, type SpotlightActionGroupData } from '@mantine/spotlight';
import { IconBox, IconSearch } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { usePackages } from '../api/packages.ts';
import { formatShortcut } from '../ui/keyboard.ts';
import { CommandIcon } from './command-icon.tsx';
import type { Command } from './commands.ts';
import '../ui/kbd.css';
import './palette.css';

const packagesShown = 6;

/** Type to go anywhere: commands and packages. */
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
        (command) =>
          command.group === group &&
          command.inPalette !== false &&
          matches(`${command.group} ${command.title} ${command.keywords ?? ''}`.toLowerCase()),
      );
      if (found.length === 0) continue;
      groups.push({
        group,
        actions: found.map((command) => ({
          id: command.id,
          label: command.title,
          leftSection: <CommandIcon id={command.id} />,
          onClick: command.run,
          rightSection:
            command.shortcut === undefined ? null : <kbd className="gh-kbd">{formatShortcut(command.shortcut)}</kbd>,
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
      // The list above is already filtered, packages included.
      filter={(_query, list) => list}
      shortcut={null}
      attributes={{ content: { 'aria-label': 'Command palette' } }}
      overlayProps={{ backgroundOpacity: 0.35, blur: 0 }}
      nothingFound="Nothing by that name"
      highlightQuery
      scrollable
      maxHeight={420}
      radius="lg"
      size={560}
      transitionProps={{ duration: 90, transition: 'fade' }}
      searchProps={{
        leftSection: <IconSearch size={17} aria-hidden="true" />,
        placeholder: 'Go to a package or do something',
        'aria-label': 'Search packages and commands',
        size: 'md',
      }}
    />
  );
}
