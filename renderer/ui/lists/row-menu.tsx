import { ActionIcon } from '@mantine/core';
import { IconDots } from '@tabler/icons-react';

export interface RowAction {
  label: string;
  icon: typeof IconDots;
  danger?: boolean;
  /** Draws a line above it, unless it is the first. */
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
export interface OpenMenu {
  button: HTMLElement;
  actions: readonly RowAction[];
  place: { left: number; top: number; width: number; height: number };
  isContextMenu: boolean;
}

/** The actions behind each button that is drawn. */
export const actionsOf = new WeakMap<HTMLElement, readonly RowAction[]>();
/** Whether the press that is going on began on the button of the open menu; that only closes it. */
let closes = false;
/** A menu that was asked for before `RowMenus` was there to show it. */
let waiting: OpenMenu | undefined;
const keepWaiting = (menu: OpenMenu): void => {
  waiting = menu;
};
let show = keepWaiting;

/** Gives the menus to `RowMenus`, first the one that was asked for before. Returns the function that takes them back. */
export function showMenusWith(shown: (menu: OpenMenu) => void): () => void {
  show = shown;
  if (waiting !== undefined) show(waiting);
  waiting = undefined;
  return () => {
    show = keepWaiting;
  };
}

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
      {/* On whole pixels, wherever the button is. */}
      <IconDots size={16} />
    </ActionIcon>
  );
}

/** Whether text around `target` is selected. */
export function hasSelection(target: Element): boolean {
  const selection = getSelection();
  return selection !== null && !selection.isCollapsed && selection.containsNode(target, true);
}
