import { expect, it } from 'vitest';
import { versionBefore } from './version-actions.tsx';

const versions = ['2.0.0', '2.0.0-beta.2', '2.0.0-beta.1', '1.2.0+build-7', '1.2.0-rc.1'].map((version) => ({
  version,
}));

it('compares a release with the release before it, not with its own prerelease', () => {
  expect(versionBefore(versions, '2.0.0')).toBe('1.2.0+build-7');
  expect(versionBefore(versions, '1.2.0+build-7')).toBe('1.2.0-rc.1');
});

it('compares a prerelease with whatever was published before it', () => {
  expect(versionBefore(versions, '2.0.0-beta.2')).toBe('2.0.0-beta.1');
  expect(versionBefore(versions, '2.0.0-beta.1')).toBe('1.2.0+build-7');
  expect(versionBefore(versions, '1.2.0-rc.1')).toBeUndefined();
});
