import { app, clipboard, nativeTheme } from 'electron';
import type { AppInfo, AppSettings, CallReply } from '../../server/contract/bridge.ts';
import type { DataFolders } from './data-folders.ts';
import { openExternalLink, showFolder } from './external-links.ts';
import { chooseFile, chooseFolder, chooseNewFile, saveText } from './file-dialogs.ts';
import { announce, handle } from './gateway.ts';
import type { LoginItem } from './login-item.ts';
import { failure, reasonOf } from './replies.ts';
import type { ServerHost } from './server-host.ts';
import type { Settings } from './settings.ts';

export interface RequestContext {
  readonly host: ServerHost;
  readonly settings: Settings;
  readonly login: LoginItem;
  readonly folders: DataFolders;
  /** Where the data is now. */
  readonly dataDir: () => string;
  /** Whether the environment decides about that. */
  readonly dataDirIsFixed: boolean;
  /** Called after the settings were saved. */
  readonly onSaved: () => void;
}

/** Registers the answer to every request of the page. */
export function answerRequests(context: RequestContext): void {
  const { host, settings, login, folders, dataDir } = context;
  handle('gatehouse:call', (method, params) => host.callFromWindow(method, params));
  handle('gatehouse:app-state', () => host.state);
  handle('gatehouse:app-retry', () => host.retry());
  handle('gatehouse:app-info', () => appInfo(context));
  handle('gatehouse:settings', () => pageSettings(settings, login));
  handle('gatehouse:save-settings', (change) => saveSettings(context, change));
  handle('gatehouse:open-external', (url) => openExternalLink(url));
  handle('gatehouse:show-data-folder', () => showFolder(dataDir()));
  handle('gatehouse:move-data-folder', () =>
    inChosenFolder(context, 'Move the data to', 'Move Here', (folder) => folders.move(folder)),
  );
  handle('gatehouse:open-data-folder', () =>
    inChosenFolder(context, 'Open the data of', 'Open', (folder) => folders.open(folder).then(() => true)),
  );
  handle('gatehouse:stop-move', () => folders.stopMove());
  handle('gatehouse:remove-former-data-folder', () => replyTo(() => folders.removeFormer()));
  handle('gatehouse:log', () => host.log);
  handle('gatehouse:copy-text', (text) => clipboard.writeText(text));
  handle('gatehouse:choose-folder', (request) => chooseFolder(request));
  handle('gatehouse:choose-file', chooseFile);
  handle('gatehouse:choose-new-file', chooseNewFile);
  handle('gatehouse:save-text', saveText);
}

function pageSettings({ current }: Settings, login: LoginItem): AppSettings {
  const { dataDir: _dataDir, formerDataDir: _formerDataDir, ...shown } = current;
  return { ...shown, startAtLogin: login.enabled() };
}

function saveSettings(context: RequestContext, change: Partial<AppSettings>): CallReply<AppSettings> {
  const { host, settings, login, onSaved } = context;
  const { startAtLogin, ...stored } = change;
  const before = settings.current;
  try {
    if (startAtLogin !== undefined) login.set(startAtLogin);
    settings.save(stored);
  } catch (error) {
    return failure(`The settings could not be saved: ${reasonOf(error)}`);
  }
  const saved = settings.current;
  nativeTheme.themeSource = saved.theme;
  if (saved.port !== before.port || saved.largestTarball !== before.largestTarball) void host.restart();
  onSaved();
  const value = pageSettings(settings, login);
  announce('gatehouse:settings-changed', value);
  return { ok: true, value };
}

/** Lets the person choose a folder and does something there; false if none was chosen. The path never goes through the page. */
async function inChosenFolder(
  { dataDirIsFixed, dataDir }: RequestContext,
  title: string,
  buttonLabel: string,
  act: (folder: string) => Promise<boolean>,
): Promise<CallReply<boolean>> {
  if (dataDirIsFixed) return failure('GATEHOUSE_DATA_DIR decides where the data lies; change it there.');
  const folder = await chooseFolder({ title }, { buttonLabel, defaultPath: dataDir() });
  return folder === null ? { ok: true, value: false } : replyTo(() => act(folder));
}

async function replyTo(work: () => Promise<boolean>): Promise<CallReply<boolean>> {
  try {
    return { ok: true, value: await work() };
  } catch (error) {
    return failure(reasonOf(error));
  }
}

function appInfo({ dataDir, dataDirIsFixed, settings, login }: RequestContext): AppInfo {
  const { platform } = process;
  return {
    version: app.getVersion(),
    platform: platform === 'linux' || platform === 'darwin' || platform === 'win32' ? platform : 'other',
    electron: process.versions.electron,
    chromium: process.versions.chrome,
    node: process.versions.node,
    dataDir: dataDir(),
    dataDirIsFixed,
    formerDataDir: settings.current.formerDataDir,
    canStartAtLogin: login.possible,
  };
}
