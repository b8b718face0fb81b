import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { appEnvironment, projectFolder } from '../../e2e/electron-app.ts';
import { launch } from './launch.ts';
import { medianOf } from './median.ts';

/** Milliseconds from the launch, each to the end of what it names. */
export interface StartParts {
  /** Electron is up and its window asks for its page. */
  readonly asked: number;
  /** The page's document is there. */
  readonly received: number;
  /** Its scripts have run. */
  readonly run: number;
  /** Something stands in the window. */
  readonly painted: number;
  /** The list of packages, or what takes its place while there are none, stands in the window; of an empty app the paint. */
  readonly usable: number;
}

/** Medians: of starts with folders that did not exist, and of starts with those of the start before. */
export interface StartTimes {
  readonly first: { readonly gatehouse: StartParts; readonly empty: StartParts };
  readonly later: { readonly gatehouse: StartParts; readonly empty: StartParts };
}

type Name = 'gatehouse' | 'empty';
type Kind = 'first' | 'later';

/**
 * Starts the app and an Electron app that opens one window with one word in it, by turns, each with folders of its own. Both carry the test
 * runner, whose cost is therefore in both figures.
 */
export async function measureStart(folder: string, rounds: number): Promise<StartTimes> {
  const apps = { gatehouse: projectFolder, empty: await writeEmptyApp(folder) };
  const measured: Record<Kind, Record<Name, StartParts[]>> = {
    first: { gatehouse: [], empty: [] },
    later: { gatehouse: [], empty: [] },
  };
  // The first round only fills the caches of the system.
  for (let round = 0; round <= rounds; round += 1) {
    for (const name of ['gatehouse', 'empty'] as const) {
      const base = path.join(folder, `${name}-${round}`);
      for (const kind of ['first', 'later'] as const) {
        const parts = await startOnce(apps[name], base, name === 'gatehouse');
        if (round > 0) measured[kind][name].push(parts);
      }
    }
  }
  const medians = (kind: Kind): StartTimes[Kind] => ({
    gatehouse: mediansOf(measured[kind].gatehouse),
    empty: mediansOf(measured[kind].empty),
  });
  return { first: medians('first'), later: medians('later') };
}

async function writeEmptyApp(folder: string): Promise<string> {
  const empty = path.join(folder, 'empty-app');
  await mkdir(empty);
  await writeFile(path.join(empty, 'package.json'), '{ "name": "empty", "version": "1.0.0", "main": "main.js" }');
  await writeFile(
    path.join(empty, 'main.js'),
    `const { app, BrowserWindow } = require('electron');
app.whenReady().then(() => {
  const window = new BrowserWindow({ show: false });
  window.once('ready-to-show', () => window.show());
  return window.loadURL('data:text/html,<p>Hello');
});
app.on('window-all-closed', () => app.quit());
`,
  );
  return empty;
}

async function startOnce(app: string, base: string, hasList: boolean): Promise<StartParts> {
  const begun = Date.now();
  const { page, close } = await launch(app, base, appEnvironment({ GATEHOUSE_DATA_DIR: path.join(base, 'data') }));
  try {
    const { origin, received, run, painted, usable } = await page.evaluate(readTimeline, hasList);
    const since = (time: number): number => origin + time - begun;
    return {
      asked: since(0),
      received: since(received),
      run: since(run),
      painted: since(painted),
      usable: since(usable),
    };
  } finally {
    await close();
  }
}

/** Runs in the page, whose timeline tells all of it also afterwards. */
async function readTimeline(hasList: boolean) {
  const entry = (type: string, name: string): Promise<PerformanceEntry> =>
    new Promise((resolve) => {
      new PerformanceObserver((list) => {
        const found = list.getEntriesByName(name)[0];
        if (found !== undefined) resolve(found);
      }).observe({ type, buffered: true });
    });
  const painted = await entry('paint', 'first-contentful-paint');
  const usable = hasList ? await entry('mark', 'packages-shown') : painted;
  const [navigation] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
  return {
    origin: performance.timeOrigin,
    received: navigation?.responseEnd ?? 0,
    run: navigation?.domContentLoadedEventEnd ?? 0,
    painted: painted.startTime,
    usable: usable.startTime,
  };
}

function mediansOf(all: readonly StartParts[]): StartParts {
  const of = (part: keyof StartParts): number => medianOf(all.map((parts) => parts[part]));
  return {
    asked: of('asked'),
    received: of('received'),
    run: of('run'),
    painted: of('painted'),
    usable: of('usable'),
  };
}
