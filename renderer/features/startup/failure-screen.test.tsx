import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import type { AppFailure, RecoveryProgress } from '../../../server/contract/bridge.ts';
import { createQueryClient } from '../../api/query-client.ts';
import { renderInWindow } from '../../test/render-in-window.tsx';
import FailureScreen from './failure-screen.tsx';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const checked = { packages: 2, versions: 1234, tags: 2, tarballs: 1233, bytes: 9, snapshots: 0 };
const finding = {
  kind: 'orphan_file',
  severity: 'clutter',
  subject: 'x',
  text: 'A file that nothing needs.',
  repair: 'done',
};

const restoring: RecoveryProgress = {
  task: { kind: 'backup', file: '/a.backup', folder: '/b' },
  step: 'Unpacking the archive',
  percent: 41,
  isStopping: false,
};

interface Shown {
  cause?: string;
  logTail?: string[];
  dataDirIsFixed?: boolean;
  portIsFixed?: boolean;
  recovery?: RecoveryProgress;
}

function show(
  failure: AppFailure,
  { cause = 'It failed.', logTail = [], dataDirIsFixed = false, portIsFixed = false, ...recovery }: Shown = {},
) {
  const done = { ok: true, value: true };
  const notify = vi.fn();
  const app = {
    notify,
    info: () => Promise.resolve({ dataDirIsFixed, portIsFixed, dataDir: '/data' }),
    settings: () => Promise.resolve({ port: 4899 }),
    recoverySnapshots: () => Promise.resolve({ ok: true, value: [] }),
    repairData: vi.fn(() =>
      Promise.resolve({ ok: true, value: { healthy: true, repaired: true, checked, findings: [finding] } }),
    ),
    openDataFolder: vi.fn(() => Promise.resolve<unknown>(done)),
    recoverBackup: vi.fn(() => Promise.resolve<unknown>(done)),
    stopRecovery: vi.fn(() => Promise.resolve()),
    retry: vi.fn(() => Promise.resolve()),
  };
  vi.stubGlobal('gatehouse', { app });
  renderInWindow(
    <FailureScreen state={{ phase: 'failed', failure, cause, remedy: 'Do this.', logTail, ...recovery }} />,
    createQueryClient(notify),
  );
  return app;
}

const button = (name: string) => screen.getByRole('button', { name });

it('checks and repairs the data where it advises that, and says what was found', async () => {
  const { repairData } = show('crashed');
  fireEvent.click(button('Check and repair'));
  expect(await screen.findByText('1 problem found and repaired')).toBeTruthy();
  expect(screen.getByRole('note').textContent).toContain('Checked 1,234 versions and 1,233 tarballs.');
  expect(repairData).toHaveBeenCalledOnce();
});

it('opens another folder and restores a backup where it advises that', async () => {
  const { openDataFolder, recoverBackup } = show('databaseDamaged');
  fireEvent.click(button('Use another folder…'));
  await waitFor(() => expect(openDataFolder).toHaveBeenCalledOnce());
  fireEvent.click(button('Restore a backup…'));
  await waitFor(() => expect(recoverBackup).toHaveBeenCalledOnce());
  expect(await screen.findByText('There is no snapshot of this registry.')).toBeTruthy();
});

it('says what runs and how far it is, and starts nothing else meanwhile', () => {
  show('databaseDamaged', { recovery: restoring, logTail: ['a line'] });
  expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Restoring a backup');
  expect(screen.getByText('/a.backup')).toBeTruthy();
  expect(screen.getByText('/b')).toBeTruthy();
  expect(screen.getByRole('status').textContent).toBe('Unpacking the archive: 41%');
  expect(screen.getByRole('progressbar', { name: 'Restoring a backup' }).getAttribute('aria-valuenow')).toBe('41');
  for (const what of ['Do this.', 'It failed.', 'a line']) expect(screen.queryByText(what)).toBeNull();
  expect(screen.getAllByRole('button').map((each) => each.textContent)).toEqual(['Cancel']);
});

it('names the snapshot that is restored', () => {
  show('databaseDamaged', { recovery: { ...restoring, task: { kind: 'snapshot', name: 'friday' } } });
  expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Restoring a snapshot');
  expect(screen.getByText('friday')).toBeTruthy();
});

it('cancels a restore, and says that it is stopping', () => {
  const { stopRecovery } = show('databaseDamaged', { recovery: restoring });
  fireEvent.click(button('Cancel'));
  expect(stopRecovery).toHaveBeenCalledOnce();
  cleanup();
  show('databaseDamaged', { recovery: { ...restoring, isStopping: true } });
  expect(screen.getByRole('status').textContent).toBe('Stopping…');
  expect(button('Cancel').hasAttribute('disabled')).toBe(true);
});

it('says what went wrong once, and only of what was tried last', async () => {
  const { openDataFolder, notify } = show('crashed');
  const error = { code: 'internal', message: 'There is no registry.', details: {} };
  openDataFolder.mockResolvedValueOnce({ ok: false, error });
  fireEvent.click(button('Use another folder…'));
  expect(await screen.findAllByText('There is no registry.')).toHaveLength(1);
  expect(notify).not.toHaveBeenCalled();
  fireEvent.click(button('Check and repair'));
  await screen.findByText('1 problem found and repaired');
  expect(screen.queryByText('There is no registry.')).toBeNull();
});

it('offers nothing that the environment would undo', async () => {
  show('portTaken', { portIsFixed: true });
  expect(await screen.findByText('GATEHOUSE_PORT')).toBeTruthy();
  expect(screen.queryByRole('textbox', { name: 'Use another port' })).toBeNull();
  cleanup();
  show('notStarted', { cause: 'GATEHOUSE_PORT is "x".' });
  expect(screen.queryByRole('button', { name: 'Try again' })).toBeNull();
});

it('says where the folder is set that it cannot change', async () => {
  show('dataFolderUnwritable', { dataDirIsFixed: true });
  expect(await screen.findByText('GATEHOUSE_DATA_DIR')).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Use another folder…' })).toBeNull();
});

it('says the cause once, though the log has it, too', () => {
  const cause = 'Port 4899 is taken by "node app.js" (process 7).';
  show('portTaken', { cause, logTail: [`gatehouse: ${cause}`, 'another line'] });
  expect(screen.getAllByText(/Port 4899 is taken/)).toHaveLength(1);
  expect(screen.getByRole('alert').textContent).toBe('Port 4899 is taken by node app.js (process 7).');
  expect(screen.getByText(/another line/)).toBeTruthy();
  expect(screen.getByRole<HTMLInputElement>('textbox', { name: 'Use another port' }).value).toBe('4900');
});
