import { cleanup, screen } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { renderInWindow } from '../../../test/render-in-window.tsx';
import { WaitingReleases } from './waiting-releases.tsx';

const waiting = vi.hoisted(() => ({ data: [] as { id: string; name: string; version: string }[] }));
vi.mock('../../../api/releases.ts', () => ({ useReleases: () => waiting }));
// The link to the inbox has no part here.
vi.mock('@tanstack/react-router', () => ({ Link: () => null }));

afterEach(cleanup);

it('names the request that waits, and counts several, of which the line would show only the first', () => {
  waiting.data = [{ id: 'a', name: '@acme/ui', version: '1.1.0' }];
  const { rerender } = renderInWindow(<WaitingReleases />);
  expect(screen.getByRole('status').textContent).toBe('1 request waits for approval:@acme/ui@1.1.0');
  waiting.data = [...waiting.data, { id: 'b', name: 'kettle-cli', version: '0.5.0' }];
  rerender(<WaitingReleases />);
  expect(screen.getByRole('status').textContent).toBe('2 requests wait for approval');
});
