import { cloneElement, useState } from 'react';
import { latePart } from '../page/late-part.tsx';
import type { ChoiceMenuProps } from './openable-choice-menu.tsx';

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
