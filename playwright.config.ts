import { defineConfig } from '@playwright/test';

/** The set-up builds the app, finds an Electron and starts a display. */
export default defineConfig({
  testDir: 'test/e2e',
  globalSetup: './test/support/desktop/setup.ts',
  outputDir: 'test-results',
  timeout: 60_000,
  expect: { timeout: 15_000 },
  // Each test has an app, a server and npm of its own; two at once would only wait for each other.
  workers: 1,
  retries: 0,
  forbidOnly: true,
});
