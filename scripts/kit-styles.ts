import path from 'node:path';
import type { Plugin } from 'vite';

/**
 * Gives each part of the component kit that the page uses its own styles, in the chunk that it is in. The kit's one stylesheet for everything is
 * three quarters styles of parts that the page does not have, and all of it would be read before the first paint.
 */
export function kitStyles(): Plugin {
  return {
    name: 'kit-styles',
    enforce: 'pre',
    transform: {
      filter: { id: /@mantine[\\/]core[\\/]esm[\\/].*\.module\.mjs$/ },
      handler(code, id) {
        // Class names of a part stand in `Button.module.mjs`, what they mean in `styles/Button.layer.css`.
        const part = path.basename(id, '.module.mjs');
        return { code: `import '@mantine/core/styles/${part}.layer.css';\n${code}`, map: null };
      },
    },
  };
}
