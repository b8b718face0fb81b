import { Kbd, Modal } from '@mantine/core';
import { Fragment } from 'react';
import { formatShortcut } from '../ui/forms/keyboard.ts';
import type { Command } from './commands.ts';
import './shortcut-list.css';

/** What is done, and the keys that do it, or what is typed for it. */
type Shortcut = readonly [what: string, keys: readonly string[] | string];

const inTables: readonly Shortcut[] = [
  ['Move between rows', ['↑', '↓']],
  ['First or last row', ['Home', 'End']],
  ['Open the row', ['Enter']],
  ['Select the row', ['Space']],
  ['Go to a row by name', 'type its first letters'],
  ['Actions of the row', ['Shift F10']],
];

const inInbox: readonly Shortcut[] = [
  ['Next or previous release', ['J', 'K']],
  ['Approve', ['A']],
  ['Reject', ['R']],
];

interface ShortcutListProps {
  commands: readonly Command[];
  onClose: () => void;
}

/** The dialog that lists every keyboard shortcut. Loaded on demand, hence the default export. */
export default function ShortcutList({ commands, onClose }: ShortcutListProps) {
  const keysOf = (wanted: (command: Command) => boolean): Shortcut[] =>
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
    <Modal opened onClose={onClose} title="Keyboard shortcuts" size={680}>
      <div className="gh-shortcut-columns">
        {sections.map(([title, shortcuts]) => (
          <section key={title} className="gh-shortcuts">
            <h3>{title}</h3>
            <dl>
              {shortcuts.map(([what, keys]) => (
                <Fragment key={what}>
                  <dt>{what}</dt>
                  <dd>
                    {typeof keys === 'string'
                      ? keys
                      : keys.map((key, index) => (
                          <Fragment key={key}>
                            {index === 0 ? null : ' or '}
                            <Kbd>{key}</Kbd>
                          </Fragment>
                        ))}
                  </dd>
                </Fragment>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Modal>
  );
}

function keysText(...shortcuts: (string | undefined)[]): string[] {
  return shortcuts.flatMap((shortcut) => (shortcut === undefined ? [] : [formatShortcut(shortcut)]));
}
