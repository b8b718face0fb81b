import { cleanup, screen } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { renderInWindow } from '../../test/render-in-window.tsx';
import { UnsentMark } from './unsent-mark.tsx';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

it('tells what needs a person from what waits, of all registries together', async () => {
  const unsent = [
    { upstreamId: 1, toSend: 1, conflicts: 1, failed: 0 },
    { upstreamId: 2, toSend: 1, conflicts: 0, failed: 2 },
  ];
  const call = () => Promise.resolve({ ok: true, value: { mode: 'auto', online: true, unsent } });
  vi.stubGlobal('gatehouse', { call });
  const { container } = renderInWindow(<UnsentMark />);
  const words = '2 changes to send, 1 conflict, 2 failed';
  await screen.findByText(words);
  expect([...container.querySelectorAll('[aria-hidden]')].map((part) => part.textContent)).toEqual(['2', '3']);
  expect(container.querySelector('[data-tip]')?.getAttribute('data-tip')).toBe(words);
});
