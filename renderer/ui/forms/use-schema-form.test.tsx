import { Checkbox, MantineProvider, TagsInput, TextInput } from '@mantine/core';
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { useSchemaForm } from './use-schema-form.ts';

afterEach(cleanup);

const schema = z.object({
  name: z.string().max(3, 'Too long.'),
  scopes: z.array(z.string().startsWith('@', 'A scope starts with @.')),
});
const send = vi.fn<(values: unknown) => void>();

function Form({ name, scopes }: z.infer<typeof schema>) {
  const form = useSchemaForm(
    schema,
    { name, scopes },
    { toInput: (values) => ({ ...values, name: values.name.trim() }) },
  );
  return (
    <MantineProvider>
      <form aria-label="Form" onSubmit={form.submit(send)}>
        <TextInput label="Name" {...form.getInputProps('name')} />
        <TagsInput label="Scopes" {...form.getInputProps('scopes')} />
      </form>
    </MantineProvider>
  );
}

it('shows each reason at its field, lists included, focuses the first, and sends nothing', () => {
  render(<Form name="long" scopes={['@a', 'b']} />);
  fireEvent.submit(screen.getByRole('form'));
  expect(screen.getByText('Too long.')).toBeTruthy();
  expect(screen.getByText('A scope starts with @.')).toBeTruthy();
  expect(document.activeElement).toBe(screen.getByRole('textbox', { name: 'Name' }));
  expect(send).not.toHaveBeenCalled();
});

it('says at each field what is missing, marks those labels, and focuses the first on the page', () => {
  function Asking() {
    const values = { scopes: [] as string[], seconds: '', name: ' ' };
    const form = useSchemaForm(z.object({}), values, {
      toInput: ({ name }) => ({ name: name.trim() }),
      required: { scopes: 'Choose a scope.', seconds: 'Enter a number.', name: 'Enter a name.' },
    });
    return (
      <MantineProvider>
        <form aria-label="Form" onSubmit={form.submit(send)}>
          <details>
            <TextInput label="Name" {...form.getInputProps('name')} />
          </details>
          <TextInput label="Note" />
          <Checkbox.Group label="Scopes" {...form.getInputProps('scopes')}>
            <Checkbox value="api" label="api" />
          </Checkbox.Group>
        </form>
      </MantineProvider>
    );
  }
  render(<Asking />);
  const marked = [...document.querySelectorAll('[data-required]')].map((label) => label.textContent);
  expect(marked).toEqual(['Name', 'Scopes']);
  fireEvent.submit(screen.getByRole('form'));
  expect(screen.getByText('Choose a scope.')).toBeTruthy();
  // Its part of the form was closed.
  expect(document.activeElement).toBe(screen.getByRole('textbox', { name: 'Name' }));
  fireEvent.change(screen.getByRole('textbox', { name: 'Name' }), { target: { value: 'ci' } });
  fireEvent.submit(screen.getByRole('form'));
  expect(screen.queryByText('Enter a name.')).toBeNull();
  expect(document.activeElement).toBe(screen.getByRole('checkbox', { name: 'api' }));
});

it('checks what is sent, and hands over what was typed', () => {
  render(<Form name=" abc " scopes={['@a']} />);
  fireEvent.submit(screen.getByRole('form'));
  expect(send.mock.lastCall?.[0]).toEqual({ name: ' abc ', scopes: ['@a'] });
});
