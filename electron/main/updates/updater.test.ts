import { EventEmitter } from 'node:events';
import type { CancellationToken } from 'electron-updater';
import { describe, expect, it } from 'vitest';
import type { UpdateState } from '../../../server/contract/updates.ts';
import { Updater, type UpdateClient } from './updater.ts';

const info = {
  version: '0.2.0',
  files: [],
  path: '',
  sha512: '',
  releaseDate: '2026-11-20',
  releaseNotes: ' Faster. ',
};
const offer = { version: '0.2.0', releasedAt: '2026-11-20', notes: 'Faster.' };

class FakeClient extends EventEmitter implements UpdateClient {
  autoDownload = true;
  autoInstallOnAppQuit = false;
  found: typeof info | null = info;
  failure: Error | null = null;
  downloads = 0;
  /** Replaces a download that succeeds at once. */
  duringDownload: (token: CancellationToken) => Promise<void> = () => Promise.resolve();

  checkForUpdates() {
    if (this.failure !== null) return Promise.reject(this.failure);
    return Promise.resolve({ isUpdateAvailable: this.found !== null, updateInfo: this.found ?? info });
  }

  async downloadUpdate(token: CancellationToken): Promise<void> {
    this.downloads += 1;
    if (this.failure !== null) throw this.failure;
    await this.duringDownload(token);
  }
}

/** Stands in for electron-updater's token, whose module loads Electron. */
function newToken(): CancellationToken {
  const token = { cancelled: false, cancel: () => (token.cancelled = true) };
  return token as unknown as CancellationToken;
}

function updaterOver({ supported } = { supported: true }) {
  const client = new FakeClient();
  const states: UpdateState[] = [];
  const installErrors: string[] = [];
  const updater = new Updater({
    load: () => Promise.resolve(supported ? { client, newToken } : null),
    onState: (state) => states.push(state),
    onInstallError: (error) => installErrors.push(error.message),
  });
  return { updater, client, states, installErrors };
}

describe('updates', () => {
  it('are unsupported without a publish configuration, and nothing is requested then', async () => {
    const { updater, states } = updaterOver({ supported: false });
    expect(await updater.state()).toEqual({ phase: 'unsupported' });
    await updater.check();
    await updater.download();
    expect(states).toEqual([]);
  });

  it('are not looked for by themselves, and never downloaded by the library', async () => {
    const { client, updater } = updaterOver();
    expect(await updater.state()).toEqual({ phase: 'idle' });
    expect(client).toMatchObject({ autoDownload: false, autoInstallOnAppQuit: true });
    await updater.download();
    expect(client.downloads).toBe(0);
  });

  it('report that this is the newest version', async () => {
    const { updater, client, states } = updaterOver();
    client.found = null;
    await updater.check();
    expect(states).toEqual([{ phase: 'checking' }, { phase: 'newest', checkedAt: expect.any(Number) as number }]);
  });

  it('report a newer version, and download it only when asked', async () => {
    const { client, updater, states } = updaterOver();
    await updater.check();
    expect(states.at(-1)).toEqual({ phase: 'available', offer });
    expect(client.downloads).toBe(0);
    client.duringDownload = () => Promise.resolve(void client.emit('download-progress', { transferred: 5, total: 9 }));
    await updater.download();
    expect(states.map(({ phase }) => phase)).toEqual(['checking', 'available', 'downloading', 'downloading', 'ready']);
    expect(states.at(-2)).toEqual({ phase: 'downloading', offer, received: 5, total: 9 });
    await updater.check();
    expect(await updater.state()).toEqual({ phase: 'ready', offer });
  });

  it('report why a check failed, in one line', async () => {
    const { client, updater } = updaterOver();
    client.failure = new Error('404 Not Found\n    at get (main.js:1)');
    await updater.check();
    expect(await updater.state()).toEqual({ phase: 'failed', offer: null, cause: 'The check failed: 404 Not Found' });
  });

  it('can be downloaded again after a failure', async () => {
    const { client, updater, installErrors } = updaterOver();
    await updater.check();
    client.failure = new Error('sha512 checksum mismatch');
    await updater.download();
    const cause = 'The download failed: sha512 checksum mismatch';
    expect(await updater.state()).toEqual({ phase: 'failed', offer, cause });
    client.failure = null;
    await updater.download();
    expect(await updater.state()).toEqual({ phase: 'ready', offer });
    expect(installErrors).toEqual([]);
  });

  it('are still offered after the download was cancelled', async () => {
    const { client, updater } = updaterOver();
    await updater.check();
    client.duringDownload = (token) => {
      updater.cancel();
      return token.cancelled ? Promise.reject(new Error('cancelled')) : Promise.resolve();
    };
    await updater.download();
    expect(await updater.state()).toEqual({ phase: 'available', offer });
  });

  it('report a failed installation', async () => {
    const { client, updater, installErrors } = updaterOver();
    await updater.check();
    client.emit('error', new Error('of a check, which rejects too'));
    await updater.download();
    client.emit('error', new Error('EACCES'));
    expect(installErrors).toEqual(['EACCES']);
  });
});
