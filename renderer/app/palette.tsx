import { Input, Kbd, Modal } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { Fragment, useCallback, useEffect, useId, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { formatShortcut } from '../ui/forms/keyboard.ts';
import { leaveSidebar } from '../ui/forms/use-first-focus.ts';
import { TailText } from '../ui/text/tail-text.tsx';
import type { Command } from './commands.ts';
import { commandEntries, rankEntries, useThings, type Entry } from './palette-entries.ts';
import './palette.css';

interface PaletteProps {
  commands: readonly Command[];
  onClose: () => void;
}

/**
 * The command palette: commands, packages, environments, people, projects and settings by name. Loaded after the first paint, hence the
 * default export.
 */
export default function Palette({ isOpen, commands, onClose }: PaletteProps & { isOpen: boolean }) {
  if (!isOpen) return null;
  return (
    <Modal
      opened
      onClose={onClose}
      withCloseButton={false}
      padding={0}
      size={560}
      returnFocus={false}
      transitionProps={{ duration: 90, exitDuration: 0, transition: 'fade' }}
      classNames={{ content: 'gh-palette', body: 'gh-palette-body' }}
      attributes={{ content: { 'aria-label': 'Command palette' } }}
    >
      <Search commands={commands} onClose={onClose} />
    </Modal>
  );
}

function Search({ commands, onClose }: PaletteProps) {
  const listId = useId();
  const [typed, setTyped] = useState('');
  const [selected, setSelected] = useState(0);
  // What had the focus gets it back, before a command may move it.
  const [before] = useState(() => document.activeElement);
  const giveBackFocus = useCallback(() => {
    if (before instanceof HTMLElement && before !== document.body) before.focus();
  }, [before]);
  const field = useRef<HTMLInputElement>(null);
  // The kit gives it the focus a turn later, when letters typed right after the keys of the palette have gone elsewhere.
  useLayoutEffect(() => field.current?.focus(), []);
  useEffect(
    () => () => {
      if (document.activeElement === null || document.activeElement === document.body) giveBackFocus();
    },
    [giveBackFocus],
  );

  const ownEntries = useMemo(() => commandEntries(commands), [commands]);
  const things = useThings(typed);
  const isEmpty = typed.trim() === '';
  const entries = useMemo(
    () => (isEmpty ? ownEntries : rankEntries([...ownEntries, ...things], typed)),
    [isEmpty, typed, ownEntries, things],
  );
  const optionId = (index: number) => `${listId}-${index}`;
  const last = entries.length - 1;
  const current = Math.min(selected, last);

  const choose = (entry: Entry | undefined) => {
    if (entry === undefined) return;
    onClose();
    giveBackFocus();
    if (!['Do', 'Appearance', 'Help'].includes(entry.kind)) leaveSidebar();
    entry.run();
  };
  const onKeyDown = (event: React.KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    const targets: Record<string, number> = {
      ArrowDown: current === last ? 0 : current + 1,
      ArrowUp: current <= 0 ? last : current - 1,
      PageDown: Math.min(last, current + 8),
      PageUp: Math.max(0, current - 8),
    };
    const target = targets[event.key];
    if (target !== undefined) setSelected(target);
    else if (event.key === 'Enter') choose(entries[current]);
    else return;
    event.preventDefault();
  };

  return (
    <>
      <Input
        ref={field}
        data-autofocus
        role="combobox"
        aria-expanded
        aria-autocomplete="list"
        aria-controls={listId}
        aria-activedescendant={entries.length === 0 ? undefined : optionId(current)}
        aria-label="Search packages and commands"
        placeholder="Search packages, people, settings and commands"
        size="md"
        autoComplete="off"
        spellCheck={false}
        leftSection={<IconSearch size={17} aria-hidden="true" />}
        classNames={{ input: 'gh-palette-search' }}
        value={typed}
        onChange={(event) => {
          setTyped(event.currentTarget.value);
          setSelected(0);
        }}
        onKeyDown={onKeyDown}
      />
      {entries.length === 0 ? (
        <div className="gh-palette-none" role="status">
          Nothing found
        </div>
      ) : null}
      <div id={listId} role="listbox" aria-label="Results" className="gh-palette-list">
        {entries.map((entry, index) => (
          <Fragment key={entry.key}>
            {isEmpty && entry.kind !== entries[index - 1]?.kind ? (
              <div role="presentation" className="gh-palette-group">
                {entry.kind}
              </div>
            ) : null}
            <Option
              id={optionId(index)}
              entry={entry}
              showKind={!isEmpty}
              isSelected={index === current}
              onPoint={() => setSelected(index)}
              onChoose={() => choose(entry)}
            />
          </Fragment>
        ))}
      </div>
    </>
  );
}

interface OptionProps {
  id: string;
  entry: Entry;
  showKind: boolean;
  isSelected: boolean;
  onPoint: () => void;
  onChoose: () => void;
}

function Option({ id, entry, showKind, isSelected, onPoint, onChoose }: OptionProps) {
  const { icon: Icon, title, detail, kind, shortcut } = entry;
  const element = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (isSelected) element.current?.scrollIntoView({ block: 'nearest' });
  }, [isSelected]);
  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus -- the keys go to the field above
    <div
      ref={element}
      id={id}
      role="option"
      aria-selected={isSelected}
      className="gh-palette-option"
      // The pointer that only rests there while the list moves selects nothing.
      onMouseMove={onPoint}
      onMouseDown={(event) => event.preventDefault()}
      onClick={onChoose}
    >
      <Icon size={16} aria-hidden="true" />
      <span className="gh-palette-title gh-truncate">
        <TailText text={title} tail={24} />
      </span>
      <span className="gh-palette-detail gh-truncate">{detail}</span>
      <span className="gh-spacer" />
      {showKind ? <span className="gh-palette-detail">{kind}</span> : null}
      {shortcut === undefined ? null : <Kbd>{formatShortcut(shortcut)}</Kbd>}
    </div>
  );
}
