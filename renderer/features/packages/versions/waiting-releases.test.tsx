import { cleanup, screen } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { renderInWindow } from '../../../test/render-in-window.tsx';
import { WaitingReleases } from './waiting-releases.tsx';

const waiting = vi.hoisted(() => ({
  data: [] as { id: string; kind: string; name: string; version: string; tags: string[] }[],
}));
vi.mock('../../../api/releases.ts', () => ({ useReleases: () => waiting }));
// The link to the inbox has no part here.
vi.mock('@tanstack/react-router', () => ({ Link: () => null }));

afterEach(cleanup);

it('names the request that waits, and counts several, of which the line would show only the first', () => {
  waiting.data = [{ id: 'a', kind: 'version', name: '@acme/ui', version: '1.1.0', tags: ['latest'] }];
  const { rerender } = renderInWindow(<WaitingReleases />);
  expect(screen.getByRole('status').textContent).toBe('1 request waits for approval: @acme/ui@1.1.0');
  waiting.data = [...waiting.data, { id: 'b', kind: 'version', name: 'kettle-cli', version: '0.5.0', tags: [] }];
  rerender(<WaitingReleases />);
  expect(screen.getByRole('status').textContent).toBe('2 requests wait for approval');
});

it('says of a move of a tag that the version is there and the tag is to move', () => {
  waiting.data = [{ id: 'a', kind: 'tag', name: '@acme/ui', version: '1.1.0', tags: ['latest'] }];
  renderInWindow(<WaitingReleases name="@acme/ui" />);
  expect(screen.getByRole('status').textContent).toBe('1 request waits for approval: move latest to 1.1.0');
});
