import { expect, test as base } from '@playwright/test';
import {
  launchApp,
  makeFolders,
  rootToken,
  type AppFolders,
  type LaunchOptions,
  type RunningApp,
} from './electron-app.ts';
import { makeNpm, type Npm } from '../support/npm.ts';

/** Calls the REST API as root. */
export type Rest = (method: string, path: string, body?: unknown) => Promise<{ status: number; body: unknown }>;

interface Fixtures {
  /** Temporary folders, removed after the test. */
  folders: AppFolders;
  /** Starts an app in `folders`; all of them are quit after the test, and the test fails if one does not go or its console complained. */
  launch: (options?: Omit<LaunchOptions, 'folders'>) => Promise<RunningApp>;
  /** An app that is ready. */
  gatehouse: RunningApp & { origin: string };
  npm: Npm;
  rest: Rest;
  /** Attaches a picture of the window in both themes. */
  picture: (app: RunningApp, name: string) => Promise<void>;
}

export const test = base.extend<Fixtures>({
  // Playwright wants the first argument of a fixture to be a pattern.
  // oxlint-disable-next-line no-empty-pattern
  folders: async ({}, use) => {
    const folders = await makeFolders();
    await use(folders);
    await folders.remove();
  },

  launch: async ({ folders }, use, testInfo) => {
    const running: RunningApp[] = [];
    await use(async (options = {}) => {
      const app = await launchApp({ folders, ...options });
      running.push(app);
      return app;
    });
    for (const app of running) {
      if (testInfo.status !== testInfo.expectedStatus) await testInfo.attach('output', { body: app.output() });
      await app.quit();
      expect(app.complaints, 'the console of the page').toEqual([]);
    }
  },

  gatehouse: async ({ launch }, use) => {
    const app = await launch();
    const { origin } = await app.until('ready');
    await use({ ...app, origin });
  },

  npm: async ({ folders, gatehouse }, use) => {
    await use(await makeNpm(folders.base, gatehouse.origin, rootToken));
  },

  rest: async ({ gatehouse }, use) => {
    await use(async (method, path, body) => {
      const answer = await fetch(`${gatehouse.origin}/api/v4${path}`, {
        method,
        headers: { 'private-token': rootToken, 'content-type': 'application/json' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      const text = await answer.text();
      return { status: answer.status, body: text === '' ? null : (JSON.parse(text) as unknown) };
    });
  },

  // oxlint-disable-next-line no-empty-pattern
  picture: async ({}, use, testInfo) => {
    await use(async (app, name) => {
      for (const theme of ['light', 'dark'] as const) {
        await app.page.evaluate((choice) => window.gatehouse.app.saveSettings({ theme: choice }), theme);
        await app.page.waitForFunction(
          (dark) => matchMedia('(prefers-color-scheme: dark)').matches === dark,
          theme === 'dark',
        );
        const file = testInfo.outputPath(`${name}-${theme}.png`);
        await app.page.screenshot({ path: file, animations: 'disabled' });
        await testInfo.attach(`${name}-${theme}`, { path: file, contentType: 'image/png' });
      }
    });
  },
});

/** Makes a user; their id. */
export async function addUser(rest: Rest, username: string, name: string): Promise<number> {
  const user = { username, name, email: `${username}@example.test`, password: 'correct horse battery staple' };
  const { status, body } = await rest('POST', '/users', user);
  expect(status, JSON.stringify(body)).toBe(201);
  return (body as { id: number }).id;
}

export { expect };
