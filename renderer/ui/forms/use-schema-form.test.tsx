import { Checkbox, MantineProvider, TagsInput, TextInput } from '@mantine/core';
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { CallFailed } from '../../api/call.ts';
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

it('says at the field what the server refused of it, and leaves the rest to the form', () => {
  function Refused({ refusal }: { refusal: Error | null }) {
    const form = useSchemaForm(schema, { name: 'ada', scopes: [] }, { refusal });
    return (
      <MantineProvider>
        <form aria-label="Form" onSubmit={form.submit(send)}>
          <TextInput label="Name" {...form.getInputProps('name')} />
          <p>Below: {form.otherRefusal?.message}</p>
        </form>
      </MantineProvider>
    );
  }
  const refuse = (fields: Record<string, string[]>) =>
    new CallFailed({ code: 'conflict', message: 'Refused.', details: { fields } });
  const taken = ['has already been taken'];
  const { rerender } = render(<Refused refusal={null} />);
  rerender(<Refused refusal={refuse({ 'project_namespace.name': taken, name: taken })} />);
  const name = screen.getByRole('textbox', { name: 'Name' });
  expect(name.getAttribute('aria-invalid')).toBe('true');
  expect(screen.getByText('Name has already been taken.')).toBeTruthy();
  expect(document.activeElement).toBe(name);
  expect(screen.getByText('Below:')).toBeTruthy();
  fireEvent.change(name, { target: { value: 'bob' } });
  expect(screen.queryByText('Name has already been taken.')).toBeNull();
  rerender(<Refused refusal={refuse({ visibility: ['cannot be raised'] })} />);
  expect(screen.getByText('Below: Refused.')).toBeTruthy();
});

it('marks each of two fields that are refused for the same reason', () => {
  function Refused({ refusal }: { refusal: Error | null }) {
    const form = useSchemaForm(schema, { name: 'ada', scopes: [], email: 'ada@example.test' }, { refusal });
    return (
      <MantineProvider>
        <TextInput label="Name" {...form.getInputProps('name')} />
        <TextInput label="Email" {...form.getInputProps('email')} />
      </MantineProvider>
    );
  }
  const taken = ['has already been taken'];
  const { rerender } = render(<Refused refusal={null} />);
  rerender(
    <Refused
      refusal={
        new CallFailed({ code: 'conflict', message: 'Refused.', details: { fields: { email: taken, name: taken } } })
      }
    />,
  );
  expect(screen.getByText('Email has already been taken.')).toBeTruthy();
  expect(screen.getByText('Name has already been taken.')).toBeTruthy();
});
