import { Button, NumberInput } from '@mantine/core';
import { useId, useState } from 'react';
import { useSaveSettings } from '../../api/app.ts';
import { ErrorNotice } from '../../ui/notice.tsx';
import { Setting } from './setting.tsx';

interface NumberSettingProps {
  name: 'port' | 'largestTarball';
  title: string;
  text: string;
  value: number;
  min: number;
  max: number;
  /** Unit after the number, with its space. */
  suffix?: string;
}

/** A number that restarts the registry, and is therefore saved on demand. Follows what another window saves, as long as nothing is typed here. */
export function NumberSetting({ name, title, text, value: saved, min, max, suffix = '' }: NumberSettingProps) {
  const textId = useId();
  const { mutate: save, isPending, error } = useSaveSettings({ handlesErrors: true });
  const [draft, setDraft] = useState<number | string>();
  const typed = draft ?? saved;
  const value = Number(typed);
  const valid = typed !== '' && Number.isInteger(value) && value >= min && value <= max;
  return (
    <Setting textId={textId} title={title} text={text}>
      <form
        className="gh-row"
        onSubmit={(event) => {
          event.preventDefault();
          if (valid && value !== saved) save({ [name]: value }, { onSuccess: () => setDraft(undefined) });
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
          error={!valid}
        />
        <Button
          type="submit"
          variant="default"
          aria-label={`Save: ${title}`}
          disabled={!valid || value === saved}
          loading={isPending}
        >
          Save
        </Button>
      </form>
      {error ? <ErrorNotice error={error} /> : null}
    </Setting>
  );
}
