import { defineConfig } from '@playwright/test';

/** The set-up builds the app, finds an Electron and starts a display. */
export default defineConfig({
  testDir: 'test/e2e',
  globalSetup: './test/support/desktop/setup.ts',
  outputDir: 'test-results',
  // For one that hangs: each step has its own limit, and a busy machine may take a minute for what another does in ten seconds.
  timeout: 180_000,
  expect: { timeout: 15_000 },
  // Each test has an app, a server and npm of its own; two at once would only wait for each other.
  workers: 1,
  retries: 0,
  forbidOnly: true,
});
