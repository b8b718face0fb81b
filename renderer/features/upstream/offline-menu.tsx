import type { ReactElement } from 'react';
import type { OfflineMode } from '../../../server/contract/upstream.ts';
import { useCall } from '../../api/call.ts';
import { ChoiceMenu } from '../../ui/forms/choice-menu.tsx';
import { offlineModes } from './offline-text.ts';

interface OfflineMenuProps {
  /** Opens the menu. */
  button: ReactElement<{ onClick?: () => void }>;
  mode: OfflineMode;
  position: 'top-start' | 'bottom-end';
}

/** Chooses whether requests may leave this machine, with what each choice means. */
export function OfflineMenu({ button, mode, position }: OfflineMenuProps) {
  const { mutate: set } = useCall('offline.set');
  return (
    <ChoiceMenu
      position={position}
      width={300}
      choices={offlineModes}
      value={mode}
      onChange={(chosen) => set({ mode: chosen })}
      button={button}
    />
  );
}
