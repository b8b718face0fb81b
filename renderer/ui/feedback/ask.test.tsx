import { ModalsProvider } from '@mantine/modals';
import { act, cleanup, screen } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { renderInWindow } from '../../test/render-in-window.tsx';
import { ask, quoted, showQuestions } from './ask.tsx';

afterEach(cleanup);

it('shows a question that was asked before anything could show it', () => {
  ask({
    title: `Unprotect ${quoted('production')}?`,
    consequence: 'Everyone may deploy.',
    action: 'Unprotect',
    run: () => undefined,
  });
  renderInWindow(<ModalsProvider />);
  expect(screen.queryByRole('dialog')).toBeNull();
  act(showQuestions);
  expect(screen.getByRole('dialog', { name: 'Unprotect “production”?' })).toBeTruthy();
});
