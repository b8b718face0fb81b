import { expect, it } from 'vitest';
import { drawsInSoftware } from './graphics.ts';

it.each([
  ['linux', true, false],
  ['linux', false, true],
  ['darwin', false, false],
  ['win32', false, false],
] as const)('on %s with a graphics device %s draws in software: %s', (platform, device, expected) => {
  expect(drawsInSoftware(platform, () => device)).toBe(expected);
});
