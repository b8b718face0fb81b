import type { KnipConfig } from 'knip';

const config: KnipConfig = {
  entry: [
    'electron/main/index.ts',
    'electron/preload/index.ts',
    'server/embed/node-test.ts',
    'scripts/*.ts',
    'test/**/*.{ts,tsx}',
  ],
  project: ['{server,electron,renderer,scripts,test}/**/*.{ts,tsx,css}'],
  ignore: ['server/contract/**'],
  ignoreDependencies: ['gitlab-ci-local'],
  ignoreExportsUsedInFile: true,
  ignoreBinaries: ['mount', 'umount', 'Xvfb', 'setpriv', 'mkfifo'],
  // Style sheets import the fonts.
  compilers: {
    css: (text) => [...text.matchAll(/@import '[^']+'/g)].map(([statement]) => statement.slice(1)).join('\n'),
  },
};

export default config;
