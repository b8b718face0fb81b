import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { _electron, type Page } from 'playwright';
import { drawsInSoftware } from '../../electron/main/desktop/graphics.ts';
import { projectFolder } from '../../scripts/build.ts';
import { appEnvironment } from '../e2e/electron-app.ts';
import setUpDesktop from '../support/desktop/setup.ts';
import { interleave, textTable } from './compare.ts';
import { sharedMemoryOf } from './process-facts.ts';

/**
 * `npm run bench:window -- [--rounds N] [--against DIR] [--json FILE]`: how soon the window can be used, and the memory of all processes
 * of the app, against an Electron that opens an empty window. All carry the test runner, whose cost is in each figure.
 */
const { values } = parseArgs({
  options: { rounds: { type: 'string', default: '5' }, against: { type: 'string' }, json: { type: 'string' } },
});

interface App {
  readonly name: string;
  readonly folder: string;
  /** The mark in the page's timeline from which on the window can be used, if it has been painted by then. */
  readonly readyMark?: string;
}

/** Starts an app twice on folders of its own: the first start creates them. */
async function startTwice(app: App, base: string): Promise<Record<'first' | 'later' | 'memory', number>> {
  const first = await startOnce(app, base);
  const later = await startOnce(app, base);
  return { first: first.ready, later: later.ready, memory: later.memory };
}

async function startOnce({ folder, readyMark }: App, base: string): Promise<Record<'ready' | 'memory', number>> {
  const begun = Date.now();
  const app = await _electron.launch({
    // Gatehouse decides this for itself; without it the empty app would wait longer.
    args: [...(drawsInSoftware() ? ['--disable-gpu'] : []), `--user-data-dir=${path.join(base, 'user')}`, folder],
    env: appEnvironment({ GATEHOUSE_DATA_DIR: path.join(base, 'data') }),
    timeout: 60_000,
    colorScheme: null,
  });
  const main = app.process();
  try {
    const ready = (await readyTime(await app.firstWindow(), readyMark)) - begun;
    return { ready, memory: sharedMemoryOf(main.pid ?? 0) };
  } finally {
    const gone = once(main, 'exit');
    await app.evaluate((electron) => electron.app.quit()).catch(() => undefined);
    await gone;
  }
}

/** When the page had been painted and had the mark, in milliseconds since 1970. */
function readyTime(page: Page, mark: string | undefined): Promise<number> {
  const events = [
    { type: 'paint', name: 'first-contentful-paint' },
    ...(mark === undefined ? [] : [{ type: 'mark', name: mark }]),
  ];
  return page.evaluate(async (awaited) => {
    const times = awaited.map(
      ({ type, name }) =>
        new Promise<number>((resolve) => {
          new PerformanceObserver((list) => {
            const found = list.getEntriesByName(name)[0];
            if (found !== undefined) resolve(performance.timeOrigin + found.startTime);
          }).observe({ type, buffered: true });
        }),
    );
    return Math.max(...(await Promise.all(times)));
  }, events);
}

async function writeEmptyApp(folder: string): Promise<App> {
  await mkdir(folder);
  await writeFile(path.join(folder, 'package.json'), '{ "name": "empty", "version": "1.0.0", "main": "main.js" }');
  await writeFile(
    path.join(folder, 'main.js'),
    `const { app, BrowserWindow } = require('electron');
app.whenReady().then(() => {
  const window = new BrowserWindow({ show: false });
  window.once('ready-to-show', () => window.show());
  return window.loadURL('data:text/html,<p>Hello');
});
app.on('window-all-closed', () => app.quit());
`,
  );
  return { name: 'empty', folder };
}

const folder = await mkdtemp(path.join(tmpdir(), 'gatehouse-bench-window-'));
const tearDown = await setUpDesktop();
try {
  const readyMark = 'packages-shown';
  const against =
    values.against === undefined ? [] : [{ name: 'against', folder: path.resolve(values.against), readyMark }];
  const empty = await writeEmptyApp(path.join(folder, 'empty-app'));
  const apps: App[] = [{ name: 'gatehouse', folder: projectFolder, readyMark }, ...against, empty];
  const bench = { rounds: Number(values.rounds), folder, say: console.error };
  const rounds = await interleave(bench, apps, (app, round) =>
    startTwice(app, path.join(folder, `${app.name}-${round}`)),
  );
  const rows = [
    { work: 'window ready, new folders', unit: 'ms', rounds: rounds('first') },
    { work: 'window ready, used folders', unit: 'ms', rounds: rounds('later') },
    { work: 'memory of all processes (PSS)', unit: 'MiB', rounds: rounds('memory') },
  ];
  console.log(textTable(rows));
  if (values.json !== undefined) await writeFile(values.json, `${JSON.stringify(rows, null, 2)}\n`);
} finally {
  tearDown();
  await rm(folder, { recursive: true, force: true });
}
