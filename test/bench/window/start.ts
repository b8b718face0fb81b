import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { appEnvironment, projectFolder } from '../../e2e/electron-app.ts';
import { medianOf } from './median.ts';
import { launch } from './launch.ts';

/** Milliseconds from the launch to the first paint with something in it, medians. */
export interface StartTimes {
  readonly gatehouse: number;
  readonly empty: number;
}

/**
 * Starts the app and an Electron app that opens one window with one word in it, by turns, each with folders of its own. Both carry the test
 * runner, whose cost is therefore in both figures.
 */
export async function measureStart(folder: string, rounds: number): Promise<StartTimes> {
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
  const times: Record<'gatehouse' | 'empty', number[]> = { gatehouse: [], empty: [] };
  // The first of each only fills the caches of the system.
  for (let round = 0; round <= rounds; round += 1) {
    for (const [name, app] of [
      ['gatehouse', projectFolder],
      ['empty', empty],
    ] as const) {
      const base = path.join(folder, `${name}-${round}`);
      const time = await firstPaint(app, base);
      if (round > 0) times[name].push(time);
    }
  }
  return { gatehouse: medianOf(times.gatehouse), empty: medianOf(times.empty) };
}

async function firstPaint(app: string, base: string): Promise<number> {
  const begun = Date.now();
  const { page, close } = await launch(app, base, appEnvironment({ GATEHOUSE_DATA_DIR: path.join(base, 'data') }));
  try {
    const painted = await page.evaluate(
      () =>
        new Promise<number>((resolve) => {
          new PerformanceObserver((list) => {
            const paint = list.getEntriesByName('first-contentful-paint')[0];
            if (paint !== undefined) resolve(performance.timeOrigin + paint.startTime);
          }).observe({ type: 'paint', buffered: true });
        }),
    );
    return painted - begun;
  } finally {
    await close();
  }
}
