import { Autocomplete, MantineProvider, MultiSelect } from '@mantine/core';
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { useState } from 'react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { theme } from '../theme/theme.ts';
import { IdSelect } from './id-select.tsx';
import { followSelectKeys } from './select-keys.ts';

let stop: () => void;
beforeEach(() => {
  stop = followSelectKeys();
});
afterEach(() => {
  cleanup();
  stop();
});

const people = ['Ada', 'Grace', 'Linus', 'Marie'].map((label, index) => ({ id: index + 1, label }));

function openForm(): { field: HTMLElement; sent: ReturnType<typeof vi.fn> } {
  const sent = vi.fn();
  function Form() {
    const [id, setId] = useState<number | null>(1);
    return (
      <form
        onSubmit={(event) => {
          event.preventDefault();
          sent(id);
        }}
      >
        <IdSelect label="User" searchable options={people} value={id} onChange={setId} />
        <button type="submit">Send</button>
      </form>
    );
  }
  render(
    <MantineProvider env="test" theme={theme}>
      <Form />
    </MantineProvider>,
  );
  return { field: screen.getByRole('combobox', { name: 'User' }), sent };
}

const type = (field: HTMLElement, value: string) => {
  field.focus();
  fireEvent.change(field, { target: { value } });
};
const enter = (field: HTMLElement) => fireEvent.keyDown(field, { key: 'Enter', code: 'Enter' });
const highlighted = () => document.querySelector('[data-combobox-selected]')?.textContent;

it('takes the match of pasted text, where the kit forgot what it highlights and kept the former choice', async () => {
  const { field, sent } = openForm();
  type(field, 'Linus');
  await waitFor(() => expect(highlighted()).toBe('Linus'));
  // The kit looks for the former choice when its list has opened.
  await new Promise((resolve) => setTimeout(resolve));
  enter(field);
  fireEvent.click(screen.getByRole('button', { name: 'Send' }));
  expect(sent).toHaveBeenCalledExactlyOnceWith(3);
});

it('leaves Enter to a field that takes text of its own while nothing in its list is highlighted', () => {
  render(
    <MantineProvider env="test" theme={theme}>
      <Autocomplete label="Environment" data={['production', 'staging']} />
    </MantineProvider>,
  );
  const field = screen.getByRole('combobox', { name: 'Environment' });
  type(field, 'prod');
  expect(field.hasAttribute('data-expanded')).toBe(true);
  expect(enter(field)).toBe(true);
});

it('says that nothing matches, and does not send a form with the former choice', () => {
  const { field } = openForm();
  type(field, 'Nobody');
  expect(screen.getByText('No match')).toBeTruthy();
  // Not prevented, the key would send the form.
  expect(enter(field)).toBe(false);
});

it('ranks the options of a field for several, and Enter takes the best', async () => {
  const chosen = vi.fn();
  const data = [
    { group: 'Groups', items: ['else'] },
    { group: 'Projects', items: ['wide/maintained', 'maintained/tools'] },
  ];
  render(
    <MantineProvider env="test" theme={theme}>
      <MultiSelect label="Projects" searchable data={data} onChange={chosen} />
    </MantineProvider>,
  );
  const field = screen.getByRole('combobox', { name: 'Projects' });
  type(field, 'maint');
  await waitFor(() => expect(highlighted()).toBe('maintained/tools'));
  enter(field);
  expect(chosen).toHaveBeenCalledExactlyOnceWith(['maintained/tools']);
});
