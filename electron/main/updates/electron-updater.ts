import { existsSync } from 'node:fs';
import path from 'node:path';
import { app, dialog } from 'electron';
import { announce, handle } from '../gateway.ts';
import { Updater, type LoadedUpdater } from './updater.ts';

/** Answers the page's requests about updates. electron-updater is loaded at the first of them. */
export function answerUpdateRequests(): Updater {
  const updater = new Updater({
    load: loadElectronUpdater,
    onState: (state) => announce('gatehouse:updates-changed', state),
    onInstallError: (error) =>
      dialog.showErrorBox(
        'The update could not be installed',
        `${error.message}\n\nGatehouse ${app.getVersion()} stays.`,
      ),
  });
  handle('gatehouse:updates', () => updater.state());
  handle('gatehouse:check-updates', () => updater.check());
  handle('gatehouse:download-update', () => updater.download());
  handle('gatehouse:cancel-update', () => updater.cancel());
  return updater;
}

/** Null where no publish configuration was packed (`publish` of electron-builder.yml), or the package's kind cannot be replaced. */
async function loadElectronUpdater(): Promise<LoadedUpdater | null> {
  if (!app.isPackaged || !existsSync(path.join(process.resourcesPath, 'app-update.yml'))) return null;
  const { autoUpdater, CancellationToken } = await import('electron-updater');
  autoUpdater.logger = null;
  return autoUpdater.isUpdaterActive() ? { client: autoUpdater, newToken: () => new CancellationToken() } : null;
}
