import path from 'node:path';
import { afterEach, expect, it, vi } from 'vitest';
import type { AppState } from '../../../server/contract/bridge.ts';
import { Recovery } from './recovery.ts';
import { ServerHost } from './server-host.ts';
import type { ServerProcess } from './server-process.ts';

vi.mock('electron', () => ({}));
const { startNode } = await import('./server-process.ts');

const fakeServer = path.resolve(import.meta.dirname, '../../../test/support/fake-server.ts');
let child: ServerProcess | undefined;

afterEach(() => child?.kill());

/** A recovery whose command behaves like the fake server, and what the failure screen says of it. */
function recoveryOf(behaviour: string): { recovery: Recovery; shown: () => AppState } {
  const host = new ServerHost({
    launch: () => {
      throw new Error('It does not start.');
    },
  });
  host.start();
  const launch = (): ServerProcess =>
    (child = startNode({ entry: fakeServer, args: [], env: { FAKE_SERVER: behaviour } }, process.execPath));
  const recovery = new Recovery({ host, settings: { save: vi.fn() }, launch, current: () => '/data' });
  return { recovery, shown: () => host.state };
}

it('ends a repair that does not stop when asked, at the deadline, and says meanwhile that it is stopping', async () => {
  const { recovery, shown } = recoveryOf('hang-on-shutdown');
  const repair = recovery.repair();
  await expect.poll(() => recovery.isRunning).toBe(true);
  const stopped = recovery.stop(50);
  expect(shown()).toMatchObject({ recovery: { task: { kind: 'repair' }, isStopping: true } });
  await stopped;
  expect(await repair).toBeNull();
  expect(recovery.isRunning).toBe(false);
  expect(shown()).not.toHaveProperty('recovery');
});

it('shows the last of the steps that arrived together, and how far it is', async () => {
  const { recovery, shown } = recoveryOf('unpacking');
  const restored = recovery.restoreSnapshot('friday');
  await expect.poll(shown).toMatchObject({ recovery: { step: 'Unpacking the archive', percent: 40 } });
  await recovery.stop();
  expect(await restored).toBe(false);
});

it('cancels the restore of a snapshot', async () => {
  const { recovery, shown } = recoveryOf('fail-on-shutdown');
  const restored = recovery.restoreSnapshot('friday');
  await expect.poll(() => recovery.isRunning).toBe(true);
  await recovery.stop();
  expect(await restored).toBe(false);
  expect(shown().phase).toBe('failed');
});
