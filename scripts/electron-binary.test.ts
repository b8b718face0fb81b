import { describe, expect, it } from 'vitest';
import { nodeIsTooOld } from './electron-binary.ts';

describe("whether an Electron's own Node can host the server", () => {
  it.each([
    ['33.2.1', true],
    ['34.0.0', true],
    ['35.0.0', false],
    ['45.4.1', false],
    [null, false],
  ])('Electron %s: too old is %s', (version, tooOld) => {
    expect(nodeIsTooOld(version)).toBe(tooOld);
  });
});
