import { ActionIcon, Menu } from '@mantine/core';
import { useWindowEvent } from '@mantine/hooks';
import { IconDots } from '@tabler/icons-react';
import { Fragment, useEffect, useState } from 'react';
import { TailText } from '../text/tail-text.tsx';

export interface RowAction {
  label: string;
  icon?: typeof IconDots;
  danger?: boolean;
  /** Draws a line above it. */
  startsGroup?: boolean;
  run: () => void;
}

interface RowMenuProps {
  /** What the row is about. */
  name: string;
  /** Name of the button for screen readers, if not "Actions for NAME". */
  label?: string;
  actions: readonly RowAction[];
}

/** A menu that is open: its actions and the place it belongs to, in pixels of the window. */
interface OpenMenu {
  button: HTMLElement;
  actions: readonly RowAction[];
  place: { left: number; top: number; width: number; height: number };
  isContextMenu: boolean;
}

/** The actions behind each button that is drawn. */
const actionsOf = new WeakMap<HTMLElement, readonly RowAction[]>();
/** Whether the press that is going on began on the button of the open menu; that only closes it. */
let closes = false;
/** A menu that was asked for before `RowMenus` was there to show it. */
let waiting: OpenMenu | undefined;
const keepWaiting = (menu: OpenMenu): void => {
  waiting = menu;
};
let show = keepWaiting;

/** The button at the end of a row that opens the menu of its actions; a right click anywhere in the row opens it, too. */
export function RowMenu({ name, label = `Actions for ${name}`, actions }: RowMenuProps) {
  return (
    <ActionIcon
      ref={(button: HTMLButtonElement | null) => {
        if (button !== null) actionsOf.set(button, actions);
      }}
      aria-label={label}
      aria-haspopup="menu"
      data-row-menu
      onMouseDown={(event) => {
        closes = event.currentTarget.hasAttribute('aria-expanded');
      }}
      onClick={(event) => {
        event.stopPropagation();
        const button = event.currentTarget;
        const isOpen = closes;
        closes = false;
        if (isOpen) return;
        const { left, top, width, height } = button.getBoundingClientRect();
        show({ button, actions, place: { left, top, width, height }, isContextMenu: false });
      }}
    >
      <IconDots size={15} />
    </ActionIcon>
  );
}

const rows = '[role="row"], li';
const fields = 'input, textarea, [contenteditable="true"]';

/**
 * The one open menu of all rows: a menu in each would be most of the work of drawing a table. Where text is selected or a field is
 * clicked, the system's menu with Copy and Paste opens instead.
 */
export function RowMenus() {
  const [menu, setMenu] = useState<OpenMenu>();
  const [opened, setOpened] = useState(false);
  const [turn, setTurn] = useState(0);
  useEffect(() => {
    show = (next) => {
      setMenu(next);
      setOpened(true);
      setTurn((before) => before + 1);
      next.button.setAttribute('aria-expanded', 'true');
    };
    if (waiting !== undefined) show(waiting);
    waiting = undefined;
    const onContextMenu = (event: MouseEvent) => {
      if (!(event.target instanceof Element) || event.target.closest(fields) || hasSelection(event.target)) return;
      const row = event.target.closest<HTMLElement>(rows);
      const button = row?.querySelector<HTMLElement>('[data-row-menu]');
      const actions = button && actionsOf.get(button);
      if (!button || !actions) return;
      event.preventDefault();
      const place = { left: event.clientX, top: event.clientY, width: 0, height: 0 };
      show({ button, actions, place, isContextMenu: true });
    };
    document.addEventListener('contextmenu', onContextMenu);
    return () => {
      show = keepWaiting;
      document.removeEventListener('contextmenu', onContextMenu);
    };
  }, []);
  const close = () => {
    menu?.button.removeAttribute('aria-expanded');
    setOpened(false);
  };
  // Its place is of the window as it was.
  useWindowEvent('resize', close);
  return (
    <Menu
      // The kit hides one whose former place the window no longer has, and hidden it cannot take the focus.
      key={turn}
      opened={opened}
      onChange={(isOpened) => {
        if (!isOpened) close();
      }}
      position={menu?.isContextMenu === true ? 'bottom-start' : 'bottom-end'}
      {...(menu?.isContextMenu === true ? { offset: 0 } : {})}
    >
      <Menu.Target>
        <span
          aria-hidden="true"
          aria-label={menu?.button.getAttribute('aria-label') ?? undefined}
          style={{ position: 'fixed', pointerEvents: 'none', ...menu?.place }}
        />
      </Menu.Target>
      <Menu.Dropdown>
        {menu?.actions.map(({ label: text, icon: Icon, danger, startsGroup, run }) => (
          <Fragment key={text}>
            {startsGroup === true ? <Menu.Divider /> : null}
            <Menu.Item
              leftSection={Icon && <Icon size={15} aria-hidden="true" />}
              {...(danger === true ? { c: 'var(--gh-danger)' } : {})}
              onClick={run}
            >
              <TailText text={text} tail={24} />
            </Menu.Item>
          </Fragment>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

/** Whether text around `target` is selected. */
export function hasSelection(target: Element): boolean {
  const selection = getSelection();
  return selection !== null && !selection.isCollapsed && selection.containsNode(target, true);
}
