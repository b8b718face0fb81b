import { Menu } from '@mantine/core';
import { useWindowEvent } from '@mantine/hooks';
import { Fragment, useEffect, useState } from 'react';
import { TailText } from '../text/tail-text.tsx';
import { actionsOf, hasSelection, showMenusWith, type OpenMenu } from './row-menu.tsx';

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
    const show = (next: OpenMenu): void => {
      setMenu(next);
      setOpened(true);
      setTurn((before) => before + 1);
      next.button.setAttribute('aria-expanded', 'true');
    };
    const stop = showMenusWith(show);
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
      stop();
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
        {menu?.actions.map(({ label: text, icon: Icon, danger, startsGroup, run }, index) => (
          <Fragment key={text}>
            {startsGroup === true && index > 0 ? <Menu.Divider /> : null}
            <Menu.Item
              leftSection={<Icon size={15} aria-hidden="true" />}
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
