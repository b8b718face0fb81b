import { Switch } from '@mantine/core';
import { useId } from 'react';
import { useSaveSettings } from '../../api/app.ts';
import { Setting } from './setting.tsx';

interface SwitchSettingProps {
  name: 'keepInTray' | 'notifications' | 'startAtLogin' | 'checkUpdatesAtStart';
  title: string;
  text: string;
  on: boolean;
}

/** Something that the app does or does not; saved at once. */
export function SwitchSetting({ name, title, text, on }: SwitchSettingProps) {
  const textId = useId();
  const { mutate: save, isPending } = useSaveSettings();
  return (
    <Setting textId={textId} title={title} text={text}>
      <Switch
        aria-label={title}
        aria-describedby={textId}
        checked={on}
        disabled={isPending}
        onChange={(event) => save({ [name]: event.currentTarget.checked })}
      />
    </Setting>
  );
}
