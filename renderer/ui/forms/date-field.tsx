import { ActionIcon, Button, Group, Popover, Stack, TextInput, type TextInputProps } from '@mantine/core';
import { IconCalendar, IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import { useState, type KeyboardEvent } from 'react';
import { flushSync } from 'react-dom';
import { dateLocale } from '../../api/date-locale.ts';
import { formatDay } from '../text/format.ts';
import { addDays, addMonths, parseDay, today, weeksOf } from './days.ts';
import './date-field.css';

interface DateFieldProps extends Omit<TextInputProps, 'value' | 'onChange' | 'onBlur'> {
  /** As `2027-01-31`, or what was typed while it is no day; empty for none. */
  value?: string;
  onChange: (day: string) => void;
}

/** A day that is still to come, typed as the system writes days or picked from a calendar. */
export function DateField({ value = '', onChange, error, ...props }: DateFieldProps) {
  const [typed, setTyped] = useState<string>();
  const [opened, setOpened] = useState(false);
  const isDay = value === '' || parseDay(value) !== undefined;
  const text = typed ?? (isDay ? formatDay(value) : value);
  const pick = (day: string) => {
    setTyped(undefined);
    onChange(day);
    setOpened(false);
  };
  return (
    <Popover
      opened={opened}
      onChange={setOpened}
      withRoles={false}
      position="bottom-end"
      trapFocus
      returnFocus
      // Upwards it covers a line of the description, and leaves no slices of its letters.
      offset={3}
      shadow="md"
    >
      <Popover.Target>
        <TextInput
          placeholder={never}
          description="At the start of that day, 00:00 UTC."
          autoComplete="off"
          spellCheck={false}
          {...props}
          value={text}
          error={
            // While it is typed, only a form that was sent says what is wrong with it.
            isDay ? error : (typed === undefined || error) && `Write a day as ${formatDay(addDays(today(), 30))}.`
          }
          onChange={(event) => {
            const next = event.currentTarget.value;
            setTyped(next);
            onChange(next.trim() === '' ? '' : (parseDay(next) ?? next));
          }}
          onBlur={() => setTyped(undefined)}
          rightSection={
            <ActionIcon
              size={22}
              aria-label="Choose a day"
              aria-expanded={opened}
              aria-haspopup="dialog"
              onClick={() => setOpened(!opened)}
            >
              <IconCalendar size={14} />
            </ActionIcon>
          }
        />
      </Popover.Target>
      <Popover.Dropdown className="gh-dropdown" p={8} role="dialog" aria-label="Choose a day">
        {opened ? <Calendar chosen={isDay && value !== '' ? value : undefined} onPick={pick} /> : null}
      </Popover.Dropdown>
    </Popover>
  );
}

/** What an empty field means. */
const never = 'Never';
const monthTitle = new Intl.DateTimeFormat(dateLocale, { month: 'long', year: 'numeric', timeZone: 'UTC' });
const weekday = new Intl.DateTimeFormat(dateLocale, { weekday: 'short', timeZone: 'UTC' });
const wholeDay = new Intl.DateTimeFormat(dateLocale, { dateStyle: 'full', timeZone: 'UTC' });
/** Escape closes the calendar and not the dialog around it. */
const keepsDialog = { 'data-mantine-stop-propagation': true } as const;

interface CalendarProps {
  chosen: string | undefined;
  /** With a day as `2027-01-31`; empty for none. */
  onPick: (day: string) => void;
}

/** A month of days; arrows move by days and weeks, Page keys by months. */
function Calendar({ chosen, onPick }: CalendarProps) {
  const now = today();
  const first = addDays(now, 1);
  const [current, setCurrent] = useState(chosen !== undefined && chosen > now ? chosen : first);
  const weeks = weeksOf(current);
  const move = (event: KeyboardEvent<HTMLElement>) => {
    const target = {
      ArrowLeft: addDays(current, -1),
      ArrowRight: addDays(current, 1),
      ArrowUp: addDays(current, -7),
      ArrowDown: addDays(current, 7),
      PageUp: addMonths(current, -1),
      PageDown: addMonths(current, 1),
    }[event.key];
    if (target === undefined) return;
    event.preventDefault();
    // At once: an Enter that comes before the next frame is for that day.
    flushSync(() => setCurrent(target < first ? first : target));
    event.currentTarget.querySelector<HTMLElement>('[tabindex="0"]')?.focus();
  };
  const step = (months: number) => {
    const target = addMonths(current, months);
    setCurrent(target < first ? first : target);
  };
  return (
    <div className="gh-calendar">
      <div className="gh-calendar-month">
        <Group justify="space-between" wrap="nowrap">
          <ActionIcon
            {...keepsDialog}
            aria-label="Previous month"
            disabled={current.slice(0, 7) <= first.slice(0, 7)}
            onClick={() => step(-1)}
          >
            <IconChevronLeft size={15} />
          </ActionIcon>
          <strong aria-live="polite">{monthTitle.format(Date.parse(current))}</strong>
          <ActionIcon {...keepsDialog} aria-label="Next month" onClick={() => step(1)}>
            <IconChevronRight size={15} />
          </ActionIcon>
        </Group>
        {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- its buttons have the focus */}
        <table onKeyDown={move}>
          <thead>
            <tr>
              {weeks[0]?.map((day) => (
                <th key={day} scope="col">
                  {weekday.format(Date.parse(day))}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {weeks.map((week) => (
              <tr key={week[0]}>
                {week.map((day) => (
                  <td key={day}>
                    <button
                      {...keepsDialog}
                      type="button"
                      aria-label={wholeDay.format(Date.parse(day))}
                      aria-pressed={day === chosen}
                      data-other={day.slice(0, 7) !== current.slice(0, 7) || undefined}
                      data-today={day === now || undefined}
                      data-autofocus={day === current || undefined}
                      tabIndex={day === current ? 0 : -1}
                      disabled={day <= now}
                      onClick={() => onPick(day)}
                    >
                      {Number(day.slice(8))}
                    </button>
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <Stack className="gh-calendar-choices" gap={0}>
        {(
          [
            ['30 days', addDays(now, 30)],
            ['90 days', addDays(now, 90)],
            ['1 year', addMonths(now, 12)],
            [never, ''],
          ] as const
        ).map(([label, day]) => (
          <Button
            key={label}
            {...keepsDialog}
            variant="subtle"
            color="gray"
            size="compact-xs"
            h={28}
            justify="flex-start"
            onClick={() => onPick(day)}
          >
            {label}
          </Button>
        ))}
      </Stack>
    </div>
  );
}
