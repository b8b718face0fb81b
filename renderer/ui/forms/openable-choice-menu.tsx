import { Menu } from '@mantine/core';
import type { IconSun } from '@tabler/icons-react';
import type { ReactElement } from 'react';

export interface ChoiceMenuProps<Value extends string> {
  /** Opens the menu. */
  button: ReactElement<{ onClick?: () => void }>;
  choices: readonly { value: Value; label: string; note?: string; icon?: typeof IconSun }[];
  value: Value;
  onChange: (value: Value) => void;
  position: 'top-start' | 'top-end' | 'bottom-end';
  /** In pixels. */
  width: number;
}

interface OpenableChoiceMenuProps extends ChoiceMenuProps<string> {
  /** The button was pressed before the menu was loaded. */
  isWanted: boolean;
}

/** What `ChoiceMenu` loads after the first paint, hence the default export. */
export default function OpenableChoiceMenu(props: OpenableChoiceMenuProps) {
  const { button, choices, value, onChange, position, width, isWanted } = props;
  return (
    <Menu position={position} width={width} defaultOpened={isWanted}>
      <Menu.Target>{button}</Menu.Target>
      <Menu.Dropdown>
        <Menu.RadioGroup value={value} onChange={onChange}>
          {choices.map((choice) => (
            <Menu.RadioItem key={choice.value} value={choice.value} closeMenuOnClick>
              <span className="gh-row">
                {choice.icon && <choice.icon size={15} aria-hidden="true" />}
                {choice.label}
              </span>
              {choice.note === undefined ? null : <div className="gh-menu-note">{choice.note}</div>}
            </Menu.RadioItem>
          ))}
        </Menu.RadioGroup>
      </Menu.Dropdown>
    </Menu>
  );
}
