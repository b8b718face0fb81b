import type { IconSun } from '@tabler/icons-react';
import { cloneElement, useState, type ReactElement } from 'react';
import { latePart } from '../page/late-part.tsx';

export interface ChoiceMenuProps<Value extends string> {
  /** Opens the menu. */
  button: ReactElement<{ onClick?: () => void }>;
  choices: readonly { value: Value; label: string; note?: string; icon?: typeof IconSun }[];
  value: Value;
  onChange: (value: Value) => void;
  position: 'top-start' | 'top-end';
  /** In pixels. */
  width: number;
}

const Openable = latePart(() => import('./openable-choice-menu.tsx'));

/** A button with a menu of one choice. The first paint has the button only; pressed before the menu is there, it opens it then. */
export function ChoiceMenu<Value extends string>({ choices, onChange, ...props }: ChoiceMenuProps<Value>) {
  const [isWanted, setWanted] = useState(false);
  const choose = (value: string) => {
    const chosen = choices.find((choice) => choice.value === value);
    if (chosen !== undefined) onChange(chosen.value);
  };
  return (
    <Openable
      {...props}
      choices={choices}
      onChange={choose}
      isWanted={isWanted}
      fallback={cloneElement(props.button, { onClick: () => setWanted(true) })}
    />
  );
}
