import { availableParallelism } from 'node:os';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vitest/config';
import { temporaryFolder } from './test/support/temporary-folder.ts';

/** For suites that neither fill nor measure a disk. */
const env = { TMPDIR: temporaryFolder };
/** For suites that measure no time, and wait for sockets and other processes. */
const maxWorkers = Math.max(2, availableParallelism() - 1);

/** How long a test waits for something that is to come: a busy machine may take seconds for what another does at once. */
const patience = { poll: { timeout: 15_000 } };

/** The tests of faults that measure or exhaust the machine. */
const load = ['connections', 'disk', 'kill', 'lost-writes', 'memory', 'soak'].map(
  (name) => `test/faults/${name}.test.ts`,
);

/** Unit tests stand beside the code; what crosses a process stands in test/, one project per kind. */
export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'unit',
          env,
          include: ['server/**/*.test.ts', 'electron/**/*.test.ts', 'scripts/**/*.test.ts'],
          testTimeout: 60_000,
          hookTimeout: 60_000,
          expect: patience,
        },
      },
      {
        plugins: [react()],
        test: {
          name: 'window',
          environment: 'happy-dom',
          include: ['renderer/**/*.test.ts', 'renderer/**/*.test.tsx'],
          setupFiles: 'test/support/patient-window.ts',
          testTimeout: 60_000,
          hookTimeout: 60_000,
          expect: patience,
        },
      },
      {
        test: {
          name: 'conformance',
          env,
          maxWorkers,
          include: ['test/conformance/**/*.test.ts'],
          setupFiles: 'test/support/check-every-answer.ts',
          testTimeout: 60_000,
          hookTimeout: 60_000,
          expect: patience,
        },
      },
      {
        test: {
          name: 'faults',
          maxWorkers,
          include: ['test/faults/**/*.test.ts'],
          exclude: load,
          testTimeout: 5 * 60_000,
          hookTimeout: 60_000,
          expect: patience,
        },
      },
      {
        test: {
          name: 'load',
          include: load,
          // Two hundred rounds of kills and twenty minutes of load in the full form; see test/support/scale.ts.
          testTimeout: 45 * 60_000,
          hookTimeout: 60_000,
          expect: patience,
          // Side by side they would measure each other.
          fileParallelism: false,
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          name: 'fuzz',
          env,
          include: ['test/fuzz/**/*.test.ts'],
          setupFiles: 'test/fuzz/support/tell-causes.ts',
          testTimeout: 20 * 60_000,
          hookTimeout: 60_000,
          expect: patience,
        },
      },
      {
        test: {
          name: 'upstream',
          env,
          maxWorkers,
          include: ['test/upstream/**/*.test.ts'],
          setupFiles: 'test/support/check-every-answer.ts',
          testTimeout: 120_000,
          hookTimeout: 120_000,
          expect: patience,
        },
      },
      {
        test: {
          name: 'clients',
          env,
          include: ['test/clients/**/*.test.ts'],
          exclude: ['**/node_modules/**'],
          globalSetup: 'test/clients/support/install.ts',
          maxWorkers,
          testTimeout: 180_000,
          hookTimeout: 180_000,
          expect: patience,
        },
      },
      {
        test: {
          name: 'package',
          include: ['test/package/**/*.test.ts'],
          globalSetup: ['test/support/desktop/setup.ts', 'test/clients/support/install.ts'],
          testTimeout: 240_000,
          hookTimeout: 240_000,
          expect: patience,
        },
      },
    ],
  },
});
