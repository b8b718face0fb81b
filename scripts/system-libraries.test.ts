import { describe, expect, it } from 'vitest';
import { missingFrom } from './system-libraries.ts';

describe('missing system packages', () => {
  it('names what is not installed', () => {
    const listing =
      'xvfb  installed\nxauth  installed\nlibgtk-3-0  not-installed\nlibnss3  installed\nlibasound2  installed';
    expect(missingFrom(listing, ['xvfb', 'libgtk-3-0', 'libnss3', 'libgbm1'])).toEqual(['libgtk-3-0', 'libgbm1']);
  });

  it('accepts a package that provides one under its newer name', () => {
    const listing = [
      'xvfb xserver installed',
      'xauth  installed',
      'libgtk-3-0t64 libgtk-3-0 (= 3.24) installed',
      'libnss3  installed',
      'libasound2t64 libasound2 (= 1.2) installed',
      'libgbm1  installed',
    ].join('\n');
    expect(missingFrom(listing, ['xvfb', 'libgtk-3-0', 'libasound2', 'libgbm1'])).toEqual([]);
  });
});
