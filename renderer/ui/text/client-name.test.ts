import { expect, it } from 'vitest';
import { clientName } from './client-name.ts';

it.each([
  ['npm/12.0.1 node/v24.21.0 linux x64 workspaces/false', 'npm 12.0 on Node 24'],
  ['pnpm/10.34.9 npm/? node/v24.21.0 linux x64', 'pnpm 10.34 on Node 24'],
  ['yarn/1.22.22 npm/? node/v20.20.2 linux x64', 'Yarn 1.22 on Node 20'],
  ['Bun/1.3.1', 'Bun 1.3'],
  ['curl/8.5.0', 'curl 8.5'],
  ['node', 'Node'],
  ['Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36', 'Browser'],
  ['', 'Unknown client'],
  ['release-bot/2', 'release-bot 2'],
  ['axios/1.7.9', 'axios 1.7'],
  ['Go-http-client/2.0', 'Go-http-client 2.0'],
  ['constructor/1', 'constructor 1'],
  ['a program (of mine)', 'a program (of mine)'],
])('%s is %s', (userAgent, name) => {
  expect(clientName(userAgent)).toBe(name);
});
