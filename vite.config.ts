import path from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

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
        // The first screen in one file: each further file costs a round through the main process.
        codeSplitting: { groups: [{ name: 'first', tags: ['$initial'] }] },
      },
    },
  },
});

/** Loads the styles of each Mantine component with the component: three quarters of the kit's one stylesheet would be unused. */
function kitStyles(): Plugin {
  return {
    name: 'kit-styles',
    enforce: 'pre',
    transform: {
      filter: { id: /@mantine[\\/]core[\\/]esm[\\/].*\.module\.mjs$/ },
      handler(code, id) {
        // `Button.module.mjs` has the class names, `styles/Button.layer.css` their rules.
        const component = path.basename(id, '.module.mjs');
        return { code: `import '@mantine/core/styles/${component}.layer.css';\n${code}`, map: null };
      },
    },
  };
}
