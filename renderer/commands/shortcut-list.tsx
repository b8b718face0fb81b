import { Modal } from '@mantine/core';
import { Fragment } from 'react';
import { formatShortcut } from '../ui/keyboard.ts';
import type { Command } from './commands.ts';
import './palette.css';

const inTables: readonly (readonly [string, string])[] = [
  ['Move between rows', '↑ ↓'],
  ['First or last row', 'Home End'],
  ['Open the row', 'Enter'],
];

interface ShortcutListProps {
  commands: readonly Command[];
  opened: boolean;
  onClose: () => void;
}

/** The list of every key that does something. */
export default function ShortcutList({ commands, opened, onClose }: ShortcutListProps) {
  return (
    <Modal opened={opened} onClose={onClose} title="Keyboard shortcuts" size={420}>
      <dl className="gh-shortcuts">
        {commands.map((command) =>
          command.shortcut === undefined ? null : (
            <Fragment key={command.id}>
              <dt>{command.title}</dt>
              <dd>
                <kbd className="gh-kbd">{formatShortcut(command.shortcut)}</kbd>
              </dd>
            </Fragment>
          ),
        )}
        {inTables.map(([what, shown]) => (
          <Fragment key={what}>
            <dt>{what}</dt>
            <dd>
              <kbd className="gh-kbd">{shown}</kbd>
            </dd>
          </Fragment>
        ))}
      </dl>
    </Modal>
  );
}
