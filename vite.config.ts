import path from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

/** The page. `scripts/build.ts` builds the rest with the same Vite. */
export default defineConfig({
  root: path.join(import.meta.dirname, 'renderer'),
  base: './',
  plugins: [react()],
  // The router would look into it at the start, for which the page waits for another process, and keeps nothing there.
  define: { sessionStorage: 'undefined' },
  build: {
    outDir: path.join(import.meta.dirname, 'out/renderer'),
    emptyOutDir: true,
    target: 'chrome130',
    // A data: URL would need its own CSP source for every kind of asset.
    assetsInlineLimit: 0,
    // The polyfill would be an inline script, and Chromium needs none.
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    // In KB. What the first screen loads decides how soon the window can be used (docs/performance.md).
    chunkSizeWarningLimit: 600,
    rolldownOptions: {
      output: {
        // The first screen in one file: each further file costs a round through the main process.
        codeSplitting: { groups: [{ name: 'first', tags: ['$initial'] }] },
      },
    },
  },
});
