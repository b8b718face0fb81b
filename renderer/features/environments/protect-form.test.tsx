import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createQueryClient } from '../../api/query-client.ts';
import { ProtectForm } from './protect-form.tsx';
import { useUnsavedEdits } from './unsaved-edits.ts';

beforeEach(() => {
  vi.stubGlobal('gatehouse', { call: () => Promise.resolve({ ok: true, value: { users: [], groups: [] } }) });
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

function Edited() {
  return <output>{useUnsavedEdits().size}</output>;
}

function open() {
  render(
    <MantineProvider env="test">
      <QueryClientProvider client={createQueryClient(() => undefined)}>
        <Edited />
        <ProtectForm projectId={1} name="" existing={[]} onProtected={() => undefined} onCancel={() => undefined} />
      </QueryClientProvider>
    </MantineProvider>,
  );
  return screen.getByRole<HTMLInputElement>('combobox', { name: 'Environment' });
}

it('is found as it was left, and marked meanwhile, until it is cancelled', () => {
  fireEvent.change(open(), { target: { value: 'preview' } });
  expect(document.querySelector('output')?.textContent).toBe('1');
  cleanup();
  expect(open().value).toBe('preview');
  fireEvent.click(screen.getByRole('button', { name: 'Cancel' }));
  expect(document.querySelector('output')?.textContent).toBe('0');
  cleanup();
  expect(open().value).toBe('');
});
