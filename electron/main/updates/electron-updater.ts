import { existsSync } from 'node:fs';
import path from 'node:path';
import { app, dialog } from 'electron';
import { announce } from '../ipc/ipc.ts';
import { Updater, type LoadedUpdater } from './updater.ts';

/** The updater of this app. electron-updater is loaded at the first request of the page, so that a start does not pay for it. */
export function createUpdater(): Updater {
  return new Updater({
    load: loadElectronUpdater,
    onState: (state) => announce('updates:state-changed', state),
    onInstallError: ({ message }) =>
      dialog.showErrorBox('The update could not be installed', `${message}\n\nGatehouse ${app.getVersion()} stays.`),
  });
}

/** Null where no publish configuration was packed (`publish` of electron-builder.yml), or the package's kind cannot be replaced. */
async function loadElectronUpdater(): Promise<LoadedUpdater | null> {
  if (!app.isPackaged || !existsSync(path.join(process.resourcesPath, 'app-update.yml'))) return null;
  const { autoUpdater, CancellationToken } = await import('electron-updater');
  autoUpdater.logger = null;
  return autoUpdater.isUpdaterActive() ? { client: autoUpdater, newToken: () => new CancellationToken() } : null;
}
