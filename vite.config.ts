import path from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { kitStyles } from './scripts/kit-styles.ts';

/** The page. `scripts/build.ts` builds the rest with the same Vite. */
export default defineConfig({
  root: path.join(import.meta.dirname, 'renderer'),
  base: './',
  plugins: [kitStyles(), react()],
  build: {
    outDir: path.join(import.meta.dirname, 'out/renderer'),
    emptyOutDir: true,
    target: 'chrome130',
    // A data: URL would need its own CSP source for every kind of asset.
    assetsInlineLimit: 0,
    // The polyfill would be an inline script, and Chromium needs none.
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    chunkSizeWarningLimit: 2_000,
    rolldownOptions: {
      output: {
        // All that the first screen needs in one file: each file more is a way through the main process more.
        codeSplitting: { groups: [{ name: 'first', tags: ['$initial'] }] },
      },
    },
  },
});
