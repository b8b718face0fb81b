import { expect, it } from 'vitest';
import { pathFromName } from './path-from-name.ts';

it.each([
  ['Release crew', 'release-crew'],
  ['  Côté  Jardin! ', 'cote-jardin'],
  ['v2.0_tools', 'v2.0_tools'],
  ['...', ''],
])('makes the path of %j %j', (name, path) => {
  expect(pathFromName(name)).toBe(path);
});
