import { ActionIcon, Menu } from '@mantine/core';
import { IconDots } from '@tabler/icons-react';
import { Fragment } from 'react';

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

/** The button at the end of a row that opens the menu of its actions. */
export function RowMenu({ name, label = `Actions for ${name}`, actions }: RowMenuProps) {
  return (
    <Menu>
      <Menu.Target>
        <ActionIcon aria-label={label} onClick={(event) => event.stopPropagation()}>
          <IconDots size={15} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown onClick={(event) => event.stopPropagation()}>
        {actions.map(({ label: text, icon: Icon, danger, startsGroup, run }) => (
          <Fragment key={text}>
            {startsGroup === true ? <Menu.Divider /> : null}
            <Menu.Item
              leftSection={Icon && <Icon size={15} aria-hidden="true" />}
              {...(danger === true ? { c: 'var(--gh-danger)' } : {})}
              onClick={run}
            >
              {text}
            </Menu.Item>
          </Fragment>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
