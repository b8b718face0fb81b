import { Kbd, Modal } from '@mantine/core';
import { Fragment } from 'react';
import { formatShortcut } from '../ui/forms/keyboard.ts';
import type { Command } from './commands.ts';
import './shortcut-list.css';

const inTables: readonly (readonly [string, string])[] = [
  ['Move between rows', '↑ ↓'],
  ['First or last row', 'Home End'],
  ['Open the row', 'Enter'],
  ['Go to a row by name', 'its first letters'],
  ['Actions of the row', 'Shift F10'],
];

const inInbox: readonly (readonly [string, string])[] = [
  ['Next or previous release', 'J K'],
  ['Approve', 'A'],
  ['Reject', 'R'],
];

interface ShortcutListProps {
  commands: readonly Command[];
  onClose: () => void;
}

/** The dialog that lists every keyboard shortcut. Loaded on demand, hence the default export. */
export default function ShortcutList({ commands, onClose }: ShortcutListProps) {
  const keysOf = (wanted: (command: Command) => boolean) =>
    commands.flatMap((command) =>
      command.shortcut !== undefined && wanted(command)
        ? [[command.title, keysText(command.shortcut, command.alsoShortcut)] as const]
        : [],
    );
  const sections = [
    ['Go to', keysOf((command) => command.group === 'Go to')],
    ['Anywhere', keysOf((command) => command.group !== 'Go to')],
    ['In a list', inTables],
    ['In the inbox', inInbox],
  ] as const;
  return (
    <Modal opened onClose={onClose} title="Keyboard shortcuts" size={420}>
      {sections.map(([title, keys]) => (
        <section key={title} className="gh-shortcuts">
          <h3>{title}</h3>
          <dl>
            {keys.map(([what, shown]) => (
              <Fragment key={what}>
                <dt>{what}</dt>
                <dd>
                  <Kbd>{shown}</Kbd>
                </dd>
              </Fragment>
            ))}
          </dl>
        </section>
      ))}
    </Modal>
  );
}

function keysText(shortcut: string, also: string | undefined): string {
  return also === undefined ? formatShortcut(shortcut) : `${formatShortcut(shortcut)} or ${formatShortcut(also)}`;
}
