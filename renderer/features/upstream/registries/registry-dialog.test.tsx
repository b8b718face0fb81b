import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import type { ComponentProps } from 'react';
import { afterEach, expect, it, vi } from 'vitest';
import { createQueryClient } from '../../../api/query-client.ts';
import { theme } from '../../../ui/theme/theme.ts';
import { RegistryDialog } from './registry-dialog.tsx';
import { emptyRegistry } from './registry-draft.ts';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

function open(props: Partial<ComponentProps<typeof RegistryDialog>>): HTMLElement {
  const value = { projects: [], groups: [], claims: [], unclaimed: [], packages: [] };
  vi.stubGlobal('gatehouse', { call: () => Promise.resolve({ ok: true, value }) });
  const close = (): void => undefined;
  render(
    <MantineProvider env="test" theme={theme}>
      <QueryClientProvider client={createQueryClient(() => undefined)}>
        <RegistryDialog registry={emptyRegistry} onClose={close} onSaved={close} {...props} />
      </QueryClientProvider>
    </MantineProvider>,
  );
  return screen.getByRole('dialog');
}

/** The names of the parts that open and close, in their order; those that are open have a plus. */
const partsOf = (dialog: HTMLElement): string[] =>
  [...dialog.querySelectorAll('details')].map(
    (part) => `${part.querySelector('summary')?.textContent}${part.open ? '+' : ''}`,
  );

it('begins with publishing where it comes from the outbox, and has what is fetched among the rest', () => {
  const dialog = open({ about: 'publishing' });
  expect(partsOf(dialog)).toEqual(['Sending (outbox)+', 'Fetching']);
  expect(screen.getByText('Scopes').closest('details')?.open).toBe(false);
  cleanup();
  expect(partsOf(open({}))).toEqual(['Fetching', 'Sending (outbox)']);
  expect(screen.getByText('Scopes').closest('details')).toBeNull();
});

it('asks for a project where publishes go to one, and for a URL elsewhere', () => {
  const placeholderOf = (label: string) => screen.queryByLabelText(label)?.getAttribute('placeholder');
  open({ registry: { ...emptyRegistry, kind: 'gatehouse', url: 'http://localhost:4899' } });
  expect(placeholderOf('Destination project')).toBe('e.g. local/packages');
  expect(screen.getByText('Where the packages are published on that server.')).toBeTruthy();
  expect(screen.queryByText('Leave empty to publish to the URL above.')).toBeNull();
  cleanup();
  open({});
  expect(placeholderOf('Publish URL')).toBe('https://registry.npmjs.org/');
  expect(screen.getByText('Leave empty to publish to the URL above.')).toBeTruthy();
});

it('marks the projects that packages are sent from as required, and refuses at the field to save without them', () => {
  const registry = { ...emptyRegistry, name: 'work', pushSelection: ['@acme'] };
  open({ registry });
  const label = screen.getByText('Projects to send from');
  expect(label.closest('label')?.dataset['required']).toBe('true');
  fireEvent.click(screen.getByRole('button', { name: 'Add registry' }));
  expect(screen.getByText('Choose the projects whose packages are sent.')).toBeTruthy();
});
