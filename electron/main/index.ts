import path from 'node:path';
import { app, dialog, Menu, nativeTheme, session } from 'electron';
import { answerRequests } from './app-requests.ts';
import { ForkedCarrier } from './carriers/forked-carrier.ts';
import { UtilityCarrier } from './carriers/utility-carrier.ts';
import type { Carrier } from './carriers/carrier.ts';
import { showFolder } from './external-links.ts';
import { announce } from './gateway.ts';
import { dataFolder, decideHosting, launchPlan, nodeCanServe, serverEntry, type Hosting } from './hosting.ts';
import { JsonFile } from './json-file.ts';
import { menuTemplate } from './menu.ts';
import { registerAppScheme, serveAppPage } from './protocol.ts';
import { guardPages, guardSession } from './security.ts';
import { ServerHost } from './server-host.ts';
import { appSettings, Settings } from './settings.ts';
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

function run(): void {
  const settings = new Settings(new JsonFile(path.join(app.getPath('userData'), 'settings.json'), appSettings));
  const dataDir = dataFolder(process.env, app.getPath('userData'));
  const hosting = (): Hosting => decideHosting(process.env, settings.current.port, app.getPath('userData'));
  const host = new ServerHost({
    launch: () => launchServer(hosting()),
    onOutput: (text) => process.stdout.write(text),
  });
  // Started from a terminal that was closed since: nobody reads, and that is no reason to fall.
  process.stdout.on('error', () => undefined);

  nativeTheme.themeSource = settings.current.theme;
  guardSession(session.defaultSession);
  serveAppPage(path.join(outFolder, 'renderer'));
  answerRequests({ host, settings, dataDir });
  host.onState((state) => announce('gatehouse:app-state-changed', state));
  host.onEvent((event) => announce('gatehouse:event', event));

  const windows = new Windows(new JsonFile(path.join(app.getPath('userData'), 'window.json'), windowState), outFolder);
  const menu = menuTemplate(process.platform, {
    command: (command) => announce('gatehouse:command', command),
    newWindow: () => void windows.open(),
    showDataFolder: () => void showFolder(dataDir),
    restartServer: () => void host.restart(),
  });
  Menu.setApplicationMenu(Menu.buildFromTemplate(menu));

  app.on('second-instance', () => void windows.show());
  app.on('activate', () => void windows.show());
  app.on('window-all-closed', () => app.quit());
  quitAfter(() => host.stop());

  host.start();
  void windows.open();
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
registerAppScheme();
guardPages();

// One app per folder of user data; the lock is the system's, so a crash cannot leave it behind.
if (app.requestSingleInstanceLock()) {
  app.whenReady().then(run, (error: unknown) => {
    dialog.showErrorBox('Gatehouse could not start', String(error));
    app.exit(1);
  });
} else {
  process.stderr.write('Gatehouse is already running; its window is brought to the front.\n');
  app.exit(0);
}
