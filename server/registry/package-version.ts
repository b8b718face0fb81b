import semver from 'semver';
import { GatehouseError } from '../contract/errors.ts';
import { printable } from '../contract/printable.ts';
import { shorten } from '../lib/printable.ts';

export const maximumVersionLength = 256;
export const maximumTagLength = 128;
export const maximumTagsPerPackage = 100;

/** SemVer 2.0.0 to the letter: three numbers without leading zeros, optional prerelease and build, no `v`. */
const strictSemver =
  /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(?:-(?:0|[1-9]\d*|\d*[A-Za-z-][0-9A-Za-z-]*)(?:\.(?:0|[1-9]\d*|\d*[A-Za-z-][0-9A-Za-z-]*))*)?(?:\+[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*)?$/;

/** A version as SemVer compares it: build metadata makes no difference. */
export function withoutBuild(version: string): string {
  const plus = version.indexOf('+');
  return plus === -1 ? version : version.slice(0, plus);
}

/** Whether two texts are one version to SemVer: npm takes build metadata out of the document and not out of the tarball. */
export function isSameVersion(a: string, b: string): boolean {
  return withoutBuild(a) === withoutBuild(b);
}

/** Whether `version` is a version that can be published here. */
export function isValidVersion(version: string): boolean {
  return version.length <= maximumVersionLength && strictSemver.test(version) && semver.parse(version) !== null;
}

/** @throws GatehouseError `invalid_request` in GitLab's words, followed by the version that was sent. */
export function requireValidVersion(version: string): void {
  if (isValidVersion(version)) return;
  const text = 'Validation failed: Version should follow SemVer: https://semver.org';
  throw new GatehouseError(
    'invalid_request',
    `${text}. "${shorten(version)}" does not: write it as MAJOR.MINOR.PATCH, for instance 1.2.3 or 1.2.3-beta.1, in at most ${maximumVersionLength} characters.`,
    { gitlabMessage: text },
  );
}

/** Why `tag` can't be a dist-tag, as a sentence; undefined if it can. */
export function tagProblem(tag: string): string | undefined {
  if (tag.trim() === '') return 'it is blank';
  if (tag.length > maximumTagLength) return `it is longer than ${maximumTagLength} characters`;
  if (printable(tag) !== tag) return 'it holds a character that cannot be seen';
  if (/[ /\\?#%&]/.test(tag)) return 'it holds a character that has no place in a URL';
  // Every range that SemVer knows has a number or a wildcard in it, or consists of operators only; most tags have neither.
  if (!/^[a-wyz-]+$/i.test(tag) && semver.validRange(tag) !== null) return 'npm would read it as a version range';
  return undefined;
}

/** @throws GatehouseError `invalid_request` that names the tag and what is wrong with it. */
export function requireValidTag(tag: string): void {
  const problem = tagProblem(tag);
  if (problem === undefined) return;
  throw new GatehouseError(
    'invalid_request',
    `The dist-tag "${shorten(tag)}" cannot be used: ${problem}. Choose a word such as "beta" or "next".`,
  );
}

/** Descending by SemVer precedence; builds of equal precedence by text, so that the order is total. */
export function compareVersionsDescending(a: string, b: string): number {
  return semver.compareBuild(b, a) || (a < b ? 1 : a > b ? -1 : 0);
}

/**
 * The version that `latest` means where it was never set: the highest release, else the highest prerelease.
 */
export function computedLatest(versions: Iterable<string>): string | undefined {
  let release: string | undefined;
  let prerelease: string | undefined;
  for (const version of versions) {
    if (semver.prerelease(version) === null) {
      if (release === undefined || compareVersionsDescending(version, release) < 0) release = version;
    } else if (prerelease === undefined || compareVersionsDescending(version, prerelease) < 0) prerelease = version;
  }
  return release ?? prerelease;
}
