import path from 'node:path';
import { app, clipboard, nativeTheme, type WebContents } from 'electron';
import { z } from 'zod';
import type { AppInfo, AppSettings, CallReply } from '../../../server/contract/bridge.ts';
import type { DataFolders } from '../data-folder/data-folders.ts';
import type { LoginItem } from '../desktop/login-item.ts';
import { scheduleStatus, snapshotName } from '../../../server/contract/maintenance.ts';
import type { Recovery } from '../host/recovery.ts';
import type { ServerHost } from '../host/server-host.ts';
import { settingsChange, type Settings } from '../settings/settings.ts';
import type { Updater } from '../updates/updater.ts';
import { openExternalLink, showFile, showFolder } from '../windows/external-links.ts';
import { chooseFile, chooseFolder, chooseNewFile, saveText } from './file-dialogs.ts';
import { GrantedPaths } from './granted-paths.ts';
import { announce, failure, handle, messageOf } from './ipc.ts';
import { Tarballs } from './tarballs.ts';

export interface RequestContext {
  readonly host: ServerHost;
  readonly settings: Settings;
  readonly login: LoginItem;
  readonly folders: DataFolders;
  readonly recovery: Recovery;
  readonly updater: Updater;
  /** The data folder of now. */
  readonly dataDir: () => string;
  /** Whether the environment fixes it. */
  readonly dataDirIsFixed: boolean;
  /** Whether the environment fixes the port. */
  readonly portIsFixed: boolean;
  /** The address to listen on that the environment fixes. */
  readonly fixedHost: string | null;
  /** Called after the settings were saved. */
  readonly onSaved: () => void;
}

const nothing = z.tuple([]);
const fileRequest = z.strictObject({
  title: z.string().min(1).max(100),
  // A name, not a path.
  suggestedName: z
    .string()
    .max(120)
    .regex(/^[^/\\\0]+$/)
    .optional(),
  extensions: z
    .array(z.string().regex(/^[a-z0-9]{1,16}$/))
    .max(8)
    .optional(),
});

const versionSubject = z.strictObject({ packageId: z.int(), version: z.string().min(1).max(256) });

/** Registers the answer to every request of the page. */
export function answerRequests(context: RequestContext): void {
  const { host, settings, login, folders, recovery, updater, dataDir } = context;
  const paths = new GrantedPaths<WebContents>();
  // Passed on, since the server checks calls, but for paths: only this process knows what was chosen.
  handle(
    'call',
    z.tuple([z.string().max(100), z.unknown()]),
    async (method, params, page) =>
      (await paths.refusalOf(page, method, params)) ?? host.callFromWindow(method, params),
  );
  handle('app:state', nothing, () => host.state);
  handle('app:retry', nothing, () =>
    host.state.phase === 'ready' && !host.state.answering ? host.restart() : host.retry(),
  );
  handle('app:restart', nothing, () => host.restart());
  handle('app:info', nothing, () => appInfo(context));
  handle('app:settings', nothing, () => pageSettings(settings, login));
  handle('app:saveSettings', z.tuple([settingsChange]), (change) => saveSettings(context, change));
  handle('app:openExternal', z.tuple([z.string().max(4_096)]), openExternalLink);
  handle('app:showDataFolder', nothing, () => replyWhenShown(dataDir()));
  handle('app:moveDataFolder', nothing, () =>
    inChosenFolder(context, 'Move the data to', 'Move Here', (folder) => folders.move(folder)),
  );
  handle('app:openDataFolder', nothing, () =>
    inChosenFolder(context, 'Open the data of', 'Open', (folder) => folders.open(folder).then(() => true)),
  );
  handle('app:recoverySnapshots', nothing, () => replyTo(() => recovery.snapshots()));
  handle('app:recoverSnapshot', z.tuple([snapshotName]), (name) => replyTo(() => recovery.restoreSnapshot(name)));
  handle('app:recoverBackup', nothing, async () => {
    const file = await chooseFile({ title: 'Restore the backup', extensions: ['backup', 'tar'] });
    if (file === null) return { ok: true, value: false };
    return inChosenFolder(context, 'Restore it into the folder', 'Restore Here', (folder) =>
      recovery.restoreBackup(file, folder),
    );
  });
  handle('app:repairData', nothing, () => replyTo(() => recovery.repair()));
  handle('app:stopRecovery', nothing, () => recovery.stop());
  handle('app:stopMove', nothing, () => folders.stopMove());
  handle('app:removeFormerDataFolder', z.tuple([z.string().max(4_096)]), (folder) =>
    replyTo(() => folders.removeFormer(folder)),
  );
  handle('app:log', nothing, () => host.log);
  handle('app:copyText', z.tuple([z.string().max(1_000_000)]), (text) => clipboard.writeText(text));
  handle('app:chooseFolder', z.tuple([fileRequest]), async (request, page) =>
    paths.grant(page, 'folder', await chooseFolder(request)),
  );
  handle('app:chooseFile', z.tuple([fileRequest]), async (request, page) =>
    paths.grant(page, 'file', await chooseFile(request)),
  );
  handle('app:chooseNewFile', z.tuple([fileRequest]), async (request, page) =>
    paths.grant(page, 'new-file', await chooseNewFile(request)),
  );
  handle('app:showNewFile', z.tuple([z.string().max(4_096)]), (file, page) => {
    if (!paths.has(page, 'new-file', file)) return failure('Only a file that was saved from this window can be shown.');
    showFile(file);
    return { ok: true, value: null };
  });
  handle('app:saveText', z.tuple([fileRequest, z.string().max(16_000_000)]), saveText);
  const tarballs = new Tarballs(host);
  handle('app:downloadTarball', z.tuple([versionSubject]), (subject) => tarballs.download(subject));
  handle('app:showTarball', z.tuple([versionSubject, z.enum(['saved', 'stored'])]), (subject, which) =>
    tarballs.show(subject, which),
  );
  handle('app:showBackup', z.tuple([z.string().max(4096)]), (archive) => showBackup(host, archive));
  handle('app:showBackupFolder', nothing, () => showBackupFolder(host));
  handle('updates:state', nothing, () => updater.state());
  handle('updates:check', nothing, () => updater.check());
  handle('updates:download', nothing, () => updater.download());
  handle('updates:cancel', nothing, () => updater.cancel());
}

/** Shows a backup in the file manager. The path is that of the server, which lists no other files. */
async function showBackup(host: ServerHost, archive: string): Promise<CallReply<null>> {
  const schedule = await host.callFromWindow('maintenance.schedule', {});
  if (!schedule.ok) return schedule;
  const found = scheduleStatus.parse(schedule.value).archives.find(({ file }) => file === archive);
  if (found === undefined) return failure('This backup is not there any more.');
  showFile(found.file);
  return { ok: true, value: null };
}

async function showBackupFolder(host: ServerHost): Promise<CallReply<null>> {
  const schedule = await host.callFromWindow('maintenance.schedule', {});
  if (!schedule.ok) return schedule;
  const { folder } = scheduleStatus.parse(schedule.value);
  return replyWhenShown(folder);
}

const replyWhenShown = (folder: string) => replyTo(() => showFolder(folder).then(() => null));

function pageSettings({ current }: Settings, login: LoginItem): AppSettings {
  const { dataDir: _dataDir, formerDataDirs: _formerDataDirs, ...shown } = current;
  return { ...shown, startAtLogin: login.enabled() };
}

/** The settings that the server is started with. */
const restarting = ['port', 'serveOthers', 'largestTarball'] as const;

async function saveSettings(context: RequestContext, change: Partial<AppSettings>): Promise<CallReply<AppSettings>> {
  const { host, settings, login, fixedHost, onSaved } = context;
  const { startAtLogin, ...stored } = change;
  const before = settings.current;
  try {
    if (startAtLogin !== undefined) login.set(startAtLogin);
    settings.save(stored);
  } catch (error) {
    return failure(`The settings could not be saved: ${messageOf(error)}`);
  }
  const saved = settings.current;
  nativeTheme.themeSource = saved.theme;
  const { serveOthers: others } = saved;
  // The setting holds, too, where the server is down and records nothing.
  if (others !== before.serveOthers && fixedHost === null) await host.call('server.recordReach', { others });
  if (restarting.some((name) => saved[name] !== before[name])) void host.restart();
  onSaved();
  const value = pageSettings(settings, login);
  announce('app:settings-changed', value);
  return { ok: true, value };
}

/** Lets the person choose a folder and works on it; false if none was chosen. The path never goes through the page. */
async function inChosenFolder(
  { dataDirIsFixed, dataDir }: RequestContext,
  title: string,
  buttonLabel: string,
  act: (folder: string) => Promise<boolean>,
): Promise<CallReply<boolean>> {
  if (dataDirIsFixed) return failure('GATEHOUSE_DATA_DIR sets the data folder; change it there.');
  // The folder around it: the data folder itself would be refused.
  const folder = await chooseFolder({ title }, { buttonLabel, defaultPath: path.dirname(dataDir()) });
  return folder === null ? { ok: true, value: false } : replyTo(() => act(folder));
}

async function replyTo<T>(work: () => Promise<T>): Promise<CallReply<T>> {
  try {
    return { ok: true, value: await work() };
  } catch (error) {
    return failure(messageOf(error));
  }
}

async function appInfo(context: RequestContext): Promise<AppInfo> {
  const { dataDir, dataDirIsFixed, portIsFixed, fixedHost, folders, login } = context;
  const { platform } = process;
  return {
    version: app.getVersion(),
    platform: platform === 'linux' || platform === 'darwin' || platform === 'win32' ? platform : 'other',
    electron: process.versions.electron,
    chromium: process.versions.chrome,
    node: process.versions.node,
    dataDir: dataDir(),
    dataDirIsFixed,
    portIsFixed,
    fixedHost,
    formerDataDirs: await folders.former(),
    canStartAtLogin: login.possible,
  };
}
