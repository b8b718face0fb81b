import { Button, Group, NumberInput, Switch } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useId, useState, type ReactNode } from 'react';
import { useSaveSettings } from '../../api/app.ts';
import { UnsavedMark } from '../../ui/feedback/unsaved-mark.tsx';
import { focusFirst } from '../../ui/forms/use-schema-form.ts';
import { ErrorNotice } from '../../ui/feedback/notice.tsx';

interface SettingProps {
  title: string;
  textId?: string;
  text?: ReactNode;
  /** Whether something was typed and not saved. */
  unsaved?: boolean;
  children?: ReactNode;
}

/** One line of the settings: title and text at the left, the control at the right. */
export function Setting({ title, textId, text, unsaved = false, children }: SettingProps) {
  return (
    <section className="gh-setting" data-setting={title}>
      <div>
        <h2 className="gh-row">
          {title}
          {unsaved ? <UnsavedMark /> : null}
        </h2>
        {text === undefined ? null : <p id={textId}>{text}</p>}
      </div>
      {children}
    </section>
  );
}

interface SwitchSettingProps {
  name: 'keepInTray' | 'notifications' | 'serveOthers' | 'startAtLogin' | 'checkUpdatesAtStart';
  title: string;
  text?: ReactNode;
  on: boolean;
}

/**
 * A setting that is on or off; saved at once. It is never disabled: that would take the focus from it. While it is saved it shows what was
 * chosen, so that a second press means the opposite.
 */
export function SwitchSetting({ name, title, text, on }: SwitchSettingProps) {
  const textId = useId();
  const { mutate: save, isPending, variables } = useSaveSettings();
  return (
    <Setting textId={textId} title={title} text={text}>
      <Switch
        aria-label={title}
        aria-describedby={text === undefined ? undefined : textId}
        checked={isPending ? variables[name] === true : on}
        onChange={(event) => save({ [name]: event.currentTarget.checked })}
      />
    </Setting>
  );
}

interface NumberSettingProps {
  name: 'port' | 'largestTarball';
  title: string;
  text: ReactNode;
  value: number;
  min: number;
  max: number;
  /** Unit after the number, with its space. */
  suffix?: string;
  /** What is said once it is saved. */
  saidAs: (value: number) => string;
}

/** A number with a button that saves it, since that restarts the registry. Shows the saved value until something is typed. */
export function NumberSetting({ name, title, text, value: saved, min, max, suffix = '', saidAs }: NumberSettingProps) {
  const textId = useId();
  const { mutate: save, isPending, error } = useSaveSettings({ handlesErrors: true });
  const [draft, setDraft] = useState<number | string>();
  const typed = draft ?? saved;
  const [refused, setRefused] = useState(false);
  const value = Number(typed);
  const valid = typed !== '' && Number.isInteger(value) && value >= min && value <= max;
  return (
    <Setting textId={textId} title={title} text={text} unsaved={value !== saved}>
      <Group
        component="form"
        gap={8}
        align="start"
        wrap="nowrap"
        onSubmit={(event) => {
          event.preventDefault();
          setRefused(!valid);
          if (!valid) focusFirst([event.currentTarget]);
          else if (value !== saved) {
            const message = saidAs(value);
            save(
              { [name]: value },
              {
                onSuccess: () => {
                  setDraft(undefined);
                  notifications.show({ message });
                },
              },
            );
          }
        }}
      >
        <NumberInput
          aria-label={title}
          aria-describedby={textId}
          w={124}
          min={min}
          max={max}
          allowDecimal={false}
          suffix={suffix}
          value={typed}
          onChange={setDraft}
          // Not another number than the one that was typed.
          clampBehavior="none"
          error={refused && !valid && `From ${min} to ${max}.`}
        />
        <Button
          type="submit"
          variant="default"
          aria-label={`Save: ${title}`}
          disabled={typed === saved}
          loading={isPending}
        >
          Save
        </Button>
      </Group>
      {error ? <ErrorNotice error={error} /> : null}
    </Setting>
  );
}
