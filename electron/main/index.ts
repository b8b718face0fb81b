import path from 'node:path';
import { app, dialog, Menu, nativeTheme, session, type WebContents } from 'electron';
import { nodeCanServe, oldestNode } from '../../server/contract/node-version.ts';
import { DataFolders } from './data-folder/data-folders.ts';
import { showContextMenus } from './desktop/context-menu.ts';
import { addressInArguments, inboxAddress, linkedAddress, linkScheme } from './desktop/deep-links.ts';
import { drawsInSoftware } from './desktop/graphics.ts';
import { loginItem, startedAtLogin } from './desktop/login-item.ts';
import { menuTemplate } from './desktop/menu.ts';
import { Notifier } from './desktop/notifier.ts';
import { AppTray } from './desktop/tray.ts';
import {
  commandPlan,
  dataFolder,
  decideHosting,
  launchPlan,
  serverEntry,
  type Hosting,
  type LaunchPlan,
} from './host/launch-plan.ts';
import { ServerHost } from './host/server-host.ts';
import { startNode, startUtilityProcess, type ServerProcess } from './host/server-process.ts';
import { announce, messageOf } from './ipc/ipc.ts';
import { JsonFile } from './settings/json-file.ts';
import { Settings, storedSettings } from './settings/settings.ts';
import { createUpdater } from './updates/electron-updater.ts';
import { showFolder } from './windows/external-links.ts';
import { registerAppScheme, serveAppPage } from './windows/protocol.ts';
import { guardPages, guardSession } from './windows/security.ts';
import { windowState } from './windows/window-state.ts';
import { quitUnasked, Windows } from './windows/windows.ts';

/** `out/`, of the checkout or inside the packed app. */
const outFolder = path.resolve(import.meta.dirname, '..');

/** Milliseconds that quitting waits for a restore or a repair to stop. Killed at any moment, it loses nothing. */
const recoveryStopDeadline = 15_000;

/** What exists before Chromium is ready. */
interface BootContext {
  readonly userData: string;
  readonly settings: Settings;
  readonly host: ServerHost;
}

/** Reads the settings; starts the server at once where it is not a child of Chromium's (`GATEHOUSE_NODE`). */
function boot(): BootContext {
  const userData = app.getPath('userData');
  const settings = new Settings(new JsonFile(path.join(userData, 'settings.json'), storedSettings));
  const host = new ServerHost({
    launch: () => launchServer(settings, userData),
    onOutput: (text) => process.stdout.write(text),
  });
  // The terminal that started the app may be closed.
  process.stdout.on('error', () => undefined);
  if (process.env['GATEHOUSE_NODE']) host.start();
  return { userData, settings, host };
}

function launchServer(settings: Settings, userData: string): ServerProcess {
  const hosting = decideHosting(process.env, settings.current, userData);
  return startProgram(hosting, launchPlan(hosting, serverEntry(outFolder), process.env));
}

/** Runs the server's program: on the Node that is named, else in a utility process. */
function startProgram(hosting: Hosting, plan: LaunchPlan): ServerProcess {
  if (hosting.nodePath !== null) return startNode(plan, hosting.nodePath);
  const { node, electron } = process.versions;
  if (!nodeCanServe(node)) {
    throw new Error(
      `The Node ${node} inside this Electron ${electron} is too old for the registry's database. ` +
        `Set GATEHOUSE_NODE to a Node.js of version ${oldestNode} or later.`,
    );
  }
  return startUtilityProcess(plan);
}

async function run({ userData, settings, host }: BootContext): Promise<void> {
  const dataDir = (): string => dataFolder(process.env, settings.current.dataDir, userData);
  // The system's is the default; to set it takes some milliseconds before the first window.
  if (settings.current.theme !== 'system') nativeTheme.themeSource = settings.current.theme;
  guardSession(session.defaultSession);
  serveAppPage(path.join(outFolder, 'renderer'));
  host.onState((state) => announce('app:state-changed', state));
  host.onEvent((event) => announce('event', event));

  // While a restore or a repair is stopped, the window stays and says so.
  let holdForRecovery = (_event: Electron.Event): void => undefined;
  const windows = new Windows(new JsonFile(path.join(userData, 'window.json'), windowState), outFolder, (event) => {
    if (!settings.current.keepInTray) holdForRecovery(event);
  });
  const show = (address: string | null): void => void windows.show(address ?? undefined);
  const tray = new AppTray({
    host,
    icon: path.join(outFolder, 'assets', process.platform === 'darwin' ? 'trayTemplate.png' : 'tray.png'),
    open: () => void windows.show(),
    openInbox: () => show(inboxAddress),
    quit: () => app.quit(),
  });
  const updater = createUpdater();
  const showMenuAndTray = (): void => {
    const menu = menuTemplate(process.platform, {
      command: (command) => announce('app:command', command),
      newWindow: () => void windows.open(),
      showDataFolder: () => {
        showFolder(dataDir()).catch((error: unknown) => {
          dialog.showErrorBox('The data folder cannot be shown', messageOf(error));
        });
      },
      restartServer: () => void host.restart(),
    });
    Menu.setApplicationMenu(Menu.buildFromTemplate(menu));
    tray.show(settings.current.keepInTray);
  };
  const checkForUpdates = (): void => {
    if (settings.current.checkUpdatesAtStart) void updater.check();
  };
  // A start at login opens no window when the tray shows that the registry runs.
  if (settings.current.keepInTray && startedAtLogin(process.argv, process.platform)) {
    setImmediate(showMenuAndTray);
    checkForUpdates();
  } else {
    // The window comes first; menu and tray are made while it draws its page.
    app.once('web-contents-created', (_event, contents) => afterFirstLoad(contents, showMenuAndTray));
    const linked = addressInArguments(process.argv) ?? linkBeforeReady;
    void windows.open(linked ?? undefined).then(checkForUpdates);
  }
  if (!process.env['GATEHOUSE_NODE']) host.start();

  const notifier = new Notifier({ host, enabled: () => settings.current.notifications, open: show });
  const folders = new DataFolders({ host, settings, current: dataDir });
  app.on('second-instance', (_event, argv) => show(addressInArguments(argv)));
  app.on('open-url', (_event, link) => show(linkedAddress(link)));
  app.on('activate', () => void windows.show());
  app.on('window-all-closed', () => {
    if (!settings.current.keepInTray) app.quit();
  });
  quitAfter(async () => {
    notifier.close();
    await folders.stopMove();
    await host.stop();
  });

  // After the window, whose page asks only later: in the built program both imports are done before any event.
  const { answerRequests } = await import('./ipc/requests.ts');
  const { Recovery } = await import('./host/recovery.ts');
  const recovery = new Recovery({
    host,
    settings,
    launch: (args, folder) => {
      const hosting = decideHosting(process.env, settings.current, userData);
      const target = { dataDir: folder ?? hosting.dataDir };
      return startProgram(hosting, commandPlan(target, serverEntry(outFolder), process.env, args));
    },
    current: dataDir,
  });
  holdForRecovery = (event) => {
    if (!recovery.isRunning) return;
    event.preventDefault();
    void recovery.stop(recoveryStopDeadline).then(() => app.quit());
  };
  app.on('before-quit', (event) => holdForRecovery(event));
  answerRequests({
    host,
    settings,
    login: loginItem(process.platform, process.env),
    folders,
    recovery,
    updater,
    dataDir,
    dataDirIsFixed: Boolean(process.env['GATEHOUSE_DATA_DIR']),
    portIsFixed: Boolean(process.env['GATEHOUSE_PORT']),
    fixedHost: process.env['GATEHOUSE_HOST'] || null,
    onSaved: () => tray.show(settings.current.keepInTray),
  });
}

/** Runs `work` once, when a page and its script were loaded or failed to: before, the page waits for this process. */
function afterFirstLoad(contents: WebContents, work: () => void): void {
  let done = false;
  const workOnce = (): void => {
    if (!done) work();
    done = true;
  };
  contents.once('did-finish-load', workOnce);
  contents.once('did-fail-load', workOnce);
}

/** Delays the quit until the work is done, once. */
function quitAfter(work: () => Promise<void>): void {
  let begun = false;
  app.on('will-quit', (event) => {
    event.preventDefault();
    if (begun) return;
    begun = true;
    // A second quit from within this one would be swallowed, and all windows are closed. `exit` still emits `quit`, which installs updates.
    void work().finally(() => setImmediate(() => app.exit(0)));
  });
}

// As root, Chromium does not start with its own sandbox; pages stay sandboxed (windows.ts) without the system's part of it.
if (process.getuid?.() !== 0) app.enableSandbox();
if (drawsInSoftware()) app.commandLine.appendSwitch('disable-gpu');
// Electron's own handlers are installed only when the server may already run.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, quitUnasked);
registerAppScheme();
guardPages();
app.on('web-contents-created', (_event, contents) => showContextMenus(contents));
// Otherwise Electron would first build a menu of its own.
Menu.setApplicationMenu(null);

// On macOS the link that starts the app arrives as an event before the app is ready.
let linkBeforeReady: string | null = null;
app.once('open-url', (_event, link) => (linkBeforeReady = linkedAddress(link)));
// From a checkout this would make every such link start a bare Electron.
if (app.isPackaged && !process.defaultApp) app.setAsDefaultProtocolClient(linkScheme);

// One app per folder of user data; the system releases the lock even after a crash.
if (app.requestSingleInstanceLock()) {
  const context = boot();
  app
    .whenReady()
    .then(() => run(context))
    .catch((error: unknown) => {
      dialog.showErrorBox('Gatehouse could not start', String(error));
      app.exit(1);
    });
} else {
  process.stderr.write('Gatehouse is already running; its window is brought to the front.\n');
  app.exit(0);
}
