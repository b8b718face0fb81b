import { app, clipboard, nativeTheme } from 'electron';
import type { AppInfo, AppSettings, CallReply } from '../../server/contract/bridge.ts';
import { isMethodName, methods } from '../../server/contract/methods.ts';
import { openExternalLink, showFolder } from './external-links.ts';
import { chooseFile, chooseFolder, chooseNewFile, saveText } from './file-dialogs.ts';
import { handle } from './gateway.ts';
import type { ServerHost } from './server-host.ts';
import type { Settings } from './settings.ts';

export interface RequestContext {
  readonly host: ServerHost;
  readonly settings: Settings;
  readonly dataDir: string;
}

/** Registers the answer to every request of the page. */
export function answerRequests({ host, settings, dataDir }: RequestContext): void {
  handle('gatehouse:call', (method, params) => callServer(host, method, params));
  handle('gatehouse:app-state', () => host.state);
  handle('gatehouse:app-retry', () => host.retry());
  handle('gatehouse:app-info', () => appInfo(dataDir));
  handle('gatehouse:settings', () => settings.current);
  handle('gatehouse:save-settings', (change) => saveSettings(host, settings, change));
  handle('gatehouse:open-external', (url) => openExternalLink(url));
  handle('gatehouse:show-data-folder', () => showFolder(dataDir));
  handle('gatehouse:copy-text', (text) => clipboard.writeText(text));
  handle('gatehouse:choose-folder', chooseFolder);
  handle('gatehouse:choose-file', chooseFile);
  handle('gatehouse:choose-new-file', chooseNewFile);
  handle('gatehouse:save-text', saveText);
}

async function callServer(host: ServerHost, method: string, params: unknown): Promise<CallReply<unknown>> {
  if (!isMethodName(method)) return invalid('There is no such method.', []);
  const parsed = methods[method].input.safeParse(params);
  if (!parsed.success) {
    const messages = parsed.error.issues.map((issue) => `${issue.path.join('.') || 'params'}: ${issue.message}`);
    return invalid(`The call is not valid. ${messages.join('; ')}`, messages);
  }
  return host.call(method, parsed.data);
}

function invalid(message: string, messages: string[]): CallReply<never> {
  return { ok: false, error: { code: 'invalid_request', message, details: { messages } } };
}

function saveSettings(host: ServerHost, settings: Settings, change: Partial<AppSettings>): CallReply<AppSettings> {
  const before = settings.current;
  let saved: AppSettings;
  try {
    saved = settings.save(change);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return {
      ok: false,
      error: { code: 'internal', message: `The settings could not be saved: ${reason}`, details: {} },
    };
  }
  nativeTheme.themeSource = saved.theme;
  if (saved.port !== before.port) void host.restart();
  return { ok: true, value: saved };
}

function appInfo(dataDir: string): AppInfo {
  const { platform } = process;
  return {
    version: app.getVersion(),
    platform: platform === 'linux' || platform === 'darwin' || platform === 'win32' ? platform : 'other',
    electron: process.versions.electron,
    chromium: process.versions.chrome,
    node: process.versions.node,
    dataDir,
  };
}
