import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { skippedByPerson } from '../../../../server/contract/constants.ts';
import type { OutboxOperation } from '../../../../server/contract/outbox.ts';
import { outboxOperation } from '../../../../test/support/outbox-operation.ts';
import { renderInWindow } from '../../../test/render-in-window.tsx';
import { actionsOf } from '../../../ui/lists/row-menu.tsx';
import { outboxColumns } from './outbox-columns.tsx';

afterEach(cleanup);

const operation = outboxOperation();

it.each([
  [{ state: 'waiting' }, 'Skip', 'theirs'],
  [{ state: 'skipped', error: skippedByPerson }, 'Send it after all', 'retry'],
] as const)('%o offers: %s', (change, label, resolution) => {
  const settle = vi.fn();
  const row = { ...operation, ...change };
  const columns = outboxColumns([row], () => 'local/packages', { resolve: () => undefined, settle });
  renderInWindow(columns.at(-1)?.cell(row));
  const [action, ...others] = actionsOf.get(screen.getByRole('button')) ?? [];
  expect(others).toEqual([]);
  expect(action?.label).toBe(label);
  action?.run();
  expect(settle).toHaveBeenCalledWith(7, resolution);
});

it('offers nothing for a change that a later one replaces, nor while a push is running', () => {
  const superseded = { ...operation, state: 'skipped' as const, error: 'Superseded by a later change.' };
  const acts = { resolve: () => undefined, settle: () => undefined };
  const keysOf = (row: OutboxOperation, more = {}) =>
    outboxColumns([row], () => '', { ...acts, ...more }).map(({ key }) => key);
  expect(keysOf(superseded)).not.toContain('actions');
  expect(keysOf(operation, { settle: undefined })).not.toContain('actions');
});

it('says when each change was sent, and leaves that out last where there is little room', () => {
  const sent = { ...operation, state: 'done' as const, verdict: 'same' as const, settledAt: Date.now() - 120_000 };
  const skipped = { ...operation, state: 'skipped' as const, settledAt: Date.now() };
  const acts = { resolve: () => undefined, settle: undefined };
  const columns = outboxColumns([operation, sent, skipped], () => '', acts);
  const column = columns.find(({ key }) => key === 'Sent');
  const textOf = (row: OutboxOperation) => render(<>{column?.cell(row)}</>).container.textContent;
  expect([operation, sent, skipped].map(textOf)).toEqual(['', '2 minutes ago', '']);
  const leaving = columns.filter(({ hideBelow }) => hideBelow).sort((a, b) => (b.hideBelow ?? 0) - (a.hideBelow ?? 0));
  expect(leaving.map(({ key }) => key)).toEqual(['Changed', 'Sent']);
  expect(outboxColumns([operation], () => '', acts).map(({ key }) => key)).not.toContain('Sent');
});
