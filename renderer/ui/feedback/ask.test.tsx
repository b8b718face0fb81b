import { MantineProvider } from '@mantine/core';
import { ModalsProvider } from '@mantine/modals';
import { act, cleanup, render, screen } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { ask, quoted, showQuestions } from './ask.tsx';

afterEach(cleanup);

it('shows a question that was asked before anything could show it', () => {
  ask({
    title: `Unprotect ${quoted('production')}?`,
    consequence: 'Everyone may deploy.',
    action: 'Unprotect',
    run: () => undefined,
  });
  render(
    <MantineProvider env="test">
      <ModalsProvider />
    </MantineProvider>,
  );
  expect(screen.queryByRole('dialog')).toBeNull();
  act(showQuestions);
  expect(screen.getByRole('dialog', { name: 'Unprotect “production”?' })).toBeTruthy();
});
