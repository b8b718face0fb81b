import path from 'node:path';
import { app, dialog, Menu, nativeTheme, session, type WebContents } from 'electron';
import { answerRequests } from './app-requests.ts';
import { AppTray } from './app-tray.ts';
import { ForkedCarrier } from './carriers/forked-carrier.ts';
import { UtilityCarrier } from './carriers/utility-carrier.ts';
import type { Carrier } from './carriers/carrier.ts';
import { DataFolders } from './data-folders.ts';
import { linkedPackage, linkScheme, packageAddress, packageInArguments } from './deep-links.ts';
import { showFolder } from './external-links.ts';
import { announce } from './gateway.ts';
import { drawsInSoftware } from './graphics.ts';
import {
  dataFolder,
  dataFolderIsFixed,
  decideHosting,
  hasOwnNode,
  launchPlan,
  nodeCanServe,
  serverEntry,
  type Hosting,
} from './hosting.ts';
import { JsonFile } from './json-file.ts';
import { loginItem, startedAtLogin } from './login-item.ts';
import { menuTemplate } from './menu.ts';
import { Notifier } from './notifier.ts';
import { registerAppScheme, serveAppPage } from './protocol.ts';
import { guardPages, guardSession } from './security.ts';
import { ServerHost } from './server-host.ts';
import { Settings, storedSettings } from './settings.ts';
import { answerUpdateRequests } from './updates/electron-updater.ts';
import { windowState } from './window-state.ts';
import { Windows } from './windows.ts';

/** `out/`, of the checkout or inside the packed app. */
const outFolder = path.resolve(import.meta.dirname, '..');

function launchServer(hosting: Hosting): Carrier {
  const plan = launchPlan(hosting, serverEntry(outFolder), process.env);
  if (hosting.nodePath !== null) return new ForkedCarrier(plan, hosting.nodePath);
  const { node, electron } = process.versions;
  if (!nodeCanServe(node)) {
    throw new Error(
      `The Node ${node} inside this Electron ${electron} is too old for the registry's database. ` +
        'Set GATEHOUSE_NODE to a Node.js of version 22.14 or later.',
    );
  }
  return new UtilityCarrier(plan);
}

/** What there is before Chromium is ready. */
interface Groundwork {
  readonly userData: string;
  readonly settings: Settings;
  readonly host: ServerHost;
  readonly serverIsStarted: boolean;
}

/** Reads the settings and starts the server if it needs nothing of Chromium's: with a Node of one's own it does not. */
function layGroundwork(): Groundwork {
  const userData = app.getPath('userData');
  const settings = new Settings(new JsonFile(path.join(userData, 'settings.json'), storedSettings));
  const host = new ServerHost({
    launch: () => launchServer(decideHosting(process.env, settings.current, userData)),
    onOutput: (text) => process.stdout.write(text),
  });
  // Started from a terminal that was closed since: nobody reads, and that is no reason to fall.
  process.stdout.on('error', () => undefined);
  const serverIsStarted = hasOwnNode(process.env);
  if (serverIsStarted) host.start();
  return { userData, settings, host, serverIsStarted };
}

function run({ userData, settings, host, serverIsStarted }: Groundwork): void {
  const dataDir = (): string => dataFolder(process.env, settings.current.dataDir, userData);
  nativeTheme.themeSource = settings.current.theme;
  guardSession(session.defaultSession);
  serveAppPage(path.join(outFolder, 'renderer'));
  host.onState((state) => announce('gatehouse:app-state-changed', state));
  host.onEvent((event) => announce('gatehouse:event', event));

  const windows = new Windows(new JsonFile(path.join(userData, 'window.json'), windowState), outFolder);
  const showPackage = (name: string | null): void =>
    void windows.show(name === null ? undefined : packageAddress(name));
  const tray = new AppTray({
    host,
    icon: path.join(outFolder, 'assets', process.platform === 'darwin' ? 'trayTemplate.png' : 'tray.png'),
    open: () => void windows.show(),
    quit: () => app.quit(),
  });
  const notifier = new Notifier({ host, wanted: () => settings.current.notifications, open: showPackage });
  const folders = new DataFolders({ host, settings, current: dataDir });
  const updater = answerUpdateRequests();
  answerRequests({
    host,
    settings,
    login: loginItem(process.platform, process.env),
    folders,
    dataDir,
    dataDirIsFixed: dataFolderIsFixed(process.env),
    onSaved: () => tray.show(settings.current.keepInTray),
  });

  app.on('second-instance', (_event, argv) => showPackage(packageInArguments(argv)));
  app.on('open-url', (_event, link) => showPackage(linkedPackage(link)));
  app.on('activate', () => void windows.show());
  app.on('window-all-closed', () => {
    if (!settings.current.keepInTray) app.quit();
  });
  quitAfter(async () => {
    notifier.close();
    await folders.stopMove();
    await host.stop();
  });

  // At login, what was asked for is the registry, not a window in the way.
  const inTrayOnly = settings.current.keepInTray && startedAtLogin(process.argv, process.platform);
  const furnish = (): void => {
    const menu = menuTemplate(process.platform, {
      command: (command) => announce('gatehouse:command', command),
      newWindow: () => void windows.open(),
      showDataFolder: () => void showFolder(dataDir()),
      restartServer: () => void host.restart(),
    });
    Menu.setApplicationMenu(Menu.buildFromTemplate(menu));
    tray.show(settings.current.keepInTray);
  };
  // The window first, and the rest while its process reads the page and asks for nothing.
  if (inTrayOnly) setImmediate(furnish);
  else app.once('web-contents-created', (_event, contents) => afterArrival(contents, furnish));
  const linked = packageInArguments(process.argv) ?? linkBeforeReady;
  const opened = inTrayOnly ? Promise.resolve() : windows.open(linked === null ? undefined : packageAddress(linked));
  void opened.then(() => {
    if (settings.current.checkUpdatesAtStart) void updater.check();
  });
  if (!serverIsStarted) host.start();
  // Node reads its fetch classes at their first use, which would be the page's first request.
  setImmediate(() => void new Response());
}

/** Runs `work` once, when the first document of a page is there, or cannot be had. */
function afterArrival(contents: WebContents, work: () => void): void {
  let done = false;
  const workOnce = (): void => {
    if (!done) work();
    done = true;
  };
  contents.once('did-navigate', workOnce);
  contents.once('did-fail-load', workOnce);
}

/** Holds the quit back until the work is done, once. */
function quitAfter(work: () => Promise<void>): void {
  let begun = false;
  app.on('will-quit', (event) => {
    event.preventDefault();
    if (begun) return;
    begun = true;
    // A second quit from within this one would be swallowed. All windows are closed here, so nothing is left but to exit.
    void work().finally(() => setImmediate(() => app.exit(0)));
  });
}

// Chromium does not start for root with a sandbox around its helpers; pages keep theirs (windows.ts), without the system's part of it.
if (process.getuid?.() !== 0) app.enableSandbox();
if (drawsInSoftware()) app.commandLine.appendSwitch('disable-gpu');
registerAppScheme();
guardPages();
// Electron would build a menu of its own first, only for ours to take its place.
Menu.setApplicationMenu(null);

// On macOS the link that starts the app comes as an event, before there is anything to show.
let linkBeforeReady: string | null = null;
app.once('open-url', (_event, link) => (linkBeforeReady = linkedPackage(link)));
// From a checkout this would make every such link start a bare Electron.
if (app.isPackaged && !process.defaultApp) app.setAsDefaultProtocolClient(linkScheme);

// One app per folder of user data; the lock is the system's, so a crash cannot leave it behind.
if (app.requestSingleInstanceLock()) {
  const groundwork = layGroundwork();
  app
    .whenReady()
    .then(() => run(groundwork))
    .catch((error: unknown) => {
      dialog.showErrorBox('Gatehouse could not start', String(error));
      app.exit(1);
    });
} else {
  process.stderr.write('Gatehouse is already running; its window is brought to the front.\n');
  app.exit(0);
}
