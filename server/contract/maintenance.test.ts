import { expect, it } from 'vitest';
import { snapshotName } from './maintenance.ts';

it.each([
  ['before-release', true],
  ['before the release 2.0', true],
  ['7', true],
  ['a'.repeat(64), true],
  ['a'.repeat(65), false],
  ['', false],
  [' leading', false],
  ['trailing ', false],
  ['trailing.', false],
  ['.hidden', false],
  ['..', false],
  ['a/b', false],
  ['a\\b', false],
  ['a\nb', false],
  ['é', false],
])('takes a name of a snapshot only where it names a folder on every system: %j', (name, isValid) => {
  expect(snapshotName.safeParse(name).success).toBe(isValid);
});
