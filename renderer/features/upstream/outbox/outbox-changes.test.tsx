import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { OutboxOperation, OutboxStatus, OutboxWaiting } from '../../../../server/contract/outbox.ts';
import { outboxOperation } from '../../../../test/support/outbox-operation.ts';
import { renderInWindow } from '../../../test/render-in-window.tsx';
import { OutboxChanges } from './outbox-changes.tsx';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const status: OutboxStatus = {
  upstreamId: 1,
  upstream: 'company',
  running: false,
  total: 0,
  done: 0,
  failed: 0,
  conflicts: 0,
  current: null,
  waiting: false,
  retryAt: null,
  operations: [],
};
const waiting: OutboxWaiting = {
  selection: ['@acme'],
  pushFrom: { projectIds: [1] },
  proposed: false,
  lacks: null,
  operations: [outboxOperation({ attempts: 1, error: 'offline: no request leaves this machine' })],
};

function show(
  mode: 'on' | 'auto',
  more: Partial<OutboxWaiting> = {},
  onSetUp: (lack: string) => void = () => undefined,
  operations: OutboxOperation[] = [],
  found: OutboxOperation[] = [],
) {
  const call = vi.fn((method: string, _input: unknown) =>
    Promise.resolve({
      ok: true,
      value:
        method === 'offline.get'
          ? { mode, online: mode === 'auto', unsent: [] }
          : method === 'outbox.plan'
            ? { operations: waiting.operations.map((operation) => ({ ...operation, verdict: 'same' })), counts: {} }
            : method === 'outbox.checkSent'
              ? { operations: found, replaced: 0 }
              : method === 'packages.list'
                ? { packages: [] }
                : [{ id: 1, fullPath: 'local/packages' }],
    }),
  );
  vi.stubGlobal('gatehouse', { call });
  const shown = renderInWindow(
    <OutboxChanges
      upstream={{ id: 1, name: 'company' }}
      status={{ ...status, operations }}
      waiting={{ ...waiting, ...more }}
      what="@acme/* from local/packages"
      onSetUp={onSetUp}
    />,
  );
  return { ...shown, call };
}

it('says what waits, and once that nothing is sent while offline', async () => {
  const { container } = show('on');
  expect(screen.getByText('1 change to send')).toBeTruthy();
  await screen.findByText('Nothing is sent while offline');
  expect(container.textContent.match(/offline/gi)).toHaveLength(1);
  expect(screen.getByRole('button', { name: 'Send 1 change to company' }).hasAttribute('disabled')).toBe(true);
});

it('offers in place of sending what has to be set up first', () => {
  const onSetUp = vi.fn();
  show('auto', { lacks: 'token' }, onSetUp);
  expect(screen.queryByRole('button', { name: 'Send 1 change to company' })).toBeNull();
  fireEvent.click(screen.getByRole('button', { name: 'Add a token…' }));
  expect(onSetUp).toHaveBeenCalledWith('token');
});

it('offers to mark as sent what is there already', async () => {
  show('auto');
  fireEvent.click(screen.getByRole('button', { name: 'Compare with company' }));
  await screen.findByRole('button', { name: 'Mark as sent' });
  expect(screen.getByText('1 change to send, already there')).toBeTruthy();
});

it('sends all changes again with one button where only failed ones are left', async () => {
  const failed = [1, 2].map((changeId) =>
    outboxOperation({ changeId, state: 'failed', error: 'The token is refused.' }),
  );
  const { call } = show('auto', { operations: [] }, undefined, failed);
  expect(screen.getByText('2 failed')).toBeTruthy();
  fireEvent.click(screen.getByRole('button', { name: 'Retry 2 failed changes' }));
  await waitFor(() => expect(call).toHaveBeenCalledWith('outbox.retryFailed', { upstreamId: 1 }));
});

it('counts what failed among what a push sends', () => {
  show('auto', {}, undefined, [outboxOperation({ changeId: 1, state: 'failed', error: 'The token is refused.' })]);
  expect(screen.getByText('1 change to send, 1 failed')).toBeTruthy();
  expect(screen.getByRole('button', { name: 'Send all 2 changes to company' })).toBeTruthy();
});

describe('after all was sent', () => {
  const sent = [1, 2].map((changeId) => outboxOperation({ changeId, state: 'done', verdict: 'same' }));
  const checkWith = (found: OutboxOperation[]) => {
    const shown = show('auto', { operations: [] }, undefined, sent, found);
    fireEvent.click(screen.getByRole('button', { name: 'Check what arrived' }));
    return shown;
  };

  it('still offers to check what the registry has, and says that it has all', async () => {
    const { call } = checkWith(sent);
    await screen.findByText('company has all 2 sent changes.');
    expect(call).toHaveBeenCalledWith('outbox.checkSent', { upstreamId: 1 });
    expect(call.mock.calls.map(([method]) => method)).not.toContain('outbox.start');
  });

  it('says how many are there where some are not', async () => {
    const [first, second] = sent as [OutboxOperation, OutboxOperation];
    checkWith([{ ...first, verdict: 'new' }, second]);
    await screen.findByText('company has 1 of 2 sent changes; the other is marked below.');
  });

  it('says why where the registry could not be read', async () => {
    checkWith(sent.map((operation) => ({ ...operation, verdict: 'unknown', explanation: 'Nothing answers.' })));
    await screen.findByText('Not checked: Nothing answers.');
    expect(screen.queryByText(/sent changes/)).toBeNull();
  });

  it('says that nothing is checked while offline', async () => {
    show('on', { operations: [] }, undefined, sent);
    await screen.findByText('Nothing is checked while offline');
    const button = screen.getByRole('button', { name: 'Check what arrived' });
    expect(button.hasAttribute('disabled')).toBe(true);
  });
});
