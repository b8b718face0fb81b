import { cleanup, fireEvent, screen } from '@testing-library/react';
import { useState } from 'react';
import { afterEach, expect, it } from 'vitest';
import { renderInWindow } from '../../test/render-in-window.tsx';
import { formatDay } from '../text/format.ts';
import { DateField } from './date-field.tsx';
import { addDays, addMonths, today } from './days.ts';

afterEach(cleanup);

function Field({ onDay }: { onDay: (day: string) => void }) {
  const [day, setDay] = useState('');
  return (
    <DateField
      label="Expires on"
      value={day}
      onChange={(next) => {
        setDay(next);
        onDay(next);
      }}
    />
  );
}

const field = () => screen.getByRole<HTMLInputElement>('textbox', { name: 'Expires on' });

it('takes a day as the system writes it, shows it so afterwards, and refuses what is no day in place', () => {
  const days: string[] = [];
  renderInWindow(<Field onDay={(day) => days.push(day)} />);
  fireEvent.change(field(), { target: { value: formatDay('2027-01-31') } });
  expect(days.at(-1)).toBe('2027-01-31');
  fireEvent.change(field(), { target: { value: '2027-03-01' } });
  fireEvent.blur(field());
  expect(field().value).toBe(formatDay('2027-03-01'));
  fireEvent.change(field(), { target: { value: 'soon' } });
  fireEvent.blur(field());
  expect(screen.getByText(/^Write a day as/)).toBeTruthy();
  fireEvent.change(field(), { target: { value: '' } });
  expect(days.at(-1)).toBe('');
});

it('picks a day from the calendar by mouse and by keys, never one that is past', () => {
  const days: string[] = [];
  renderInWindow(<Field onDay={(day) => days.push(day)} />);
  fireEvent.click(screen.getByRole('button', { name: 'Choose a day' }));
  fireEvent.click(screen.getByRole('button', { name: '30 days' }));
  expect(days.at(-1)).toBe(addDays(today(), 30));
  fireEvent.click(screen.getByRole('button', { name: 'Choose a day' }));
  const chosen = screen.getByRole('button', { pressed: true });
  fireEvent.keyDown(chosen, { key: 'ArrowDown' });
  const current = document.querySelector<HTMLElement>('.gh-calendar td [tabindex="0"]');
  expect(current?.textContent).toBe(String(Number(addDays(today(), 37).slice(8))));
  fireEvent.keyDown(current ?? chosen, { key: 'PageUp' });
  fireEvent.keyDown(document.querySelector('.gh-calendar td [tabindex="0"]') ?? chosen, { key: 'PageUp' });
  const first = document.querySelector<HTMLElement>('.gh-calendar td [tabindex="0"]');
  expect(first?.textContent).toBe(String(Number(addDays(today(), 1).slice(8))));
  expect(first?.hasAttribute('disabled')).toBe(false);
});

it('picks the day that arrows lead to, although Enter comes before the next frame', () => {
  const days: string[] = [];
  renderInWindow(<Field onDay={(day) => days.push(day)} />);
  const from = addDays(today(), 100);
  fireEvent.change(field(), { target: { value: formatDay(from) } });
  fireEvent.click(screen.getByRole('button', { name: 'Choose a day' }));
  screen.getByRole('button', { pressed: true }).focus();
  for (const key of ['PageDown', 'ArrowDown']) fireEvent.keyDown(document.activeElement ?? document.body, { key });
  fireEvent.click(document.activeElement ?? document.body);
  expect(days.at(-1)).toBe(addDays(addMonths(from, 1), 7));
});

it('has a choice in the calendar for no day at all', () => {
  const days: string[] = [];
  renderInWindow(<Field onDay={(day) => days.push(day)} />);
  fireEvent.change(field(), { target: { value: formatDay('2099-01-31') } });
  fireEvent.click(screen.getByRole('button', { name: 'Choose a day' }));
  fireEvent.click(screen.getByRole('button', { name: 'Never' }));
  expect(days.at(-1)).toBe('');
  expect(field().value).toBe('');
});
