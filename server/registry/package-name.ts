import validateNpmPackageName from 'validate-npm-package-name';
import { GatehouseError } from '../contract/errors.ts';
import { shorten } from '../lib/printable.ts';

export const maximumNameLength = 214;

/** GitLab's shape of an npm name: an optional scope, then one path segment. */
const gitlabShape = /^(?:@[A-Za-z0-9_.][A-Za-z0-9_.-]*\/)?[A-Za-z0-9._-]+$/;

/** Why `name` can't be a package here, as a sentence; undefined if it can. Upper case is accepted, as old packages have it. */
export function nameProblem(name: string): string | undefined {
  if (name === '') return 'it is empty';
  if (name.length > maximumNameLength) return `it is longer than ${maximumNameLength} characters`;
  if (!gitlabShape.test(name))
    return 'it may hold letters, digits, "-", "_" and "." with an optional "@scope/" in front';
  if (baseNameOf(name) === '-') return '"-" has a meaning of its own in the addresses of a registry';
  const scope = scopeOf(name);
  if (scope && /\.$|\.git$|\.atom$/i.test(scope)) return 'its scope may not end in ".", ".git" or ".atom"';
  const verdict = validateNpmPackageName(name);
  if (verdict.validForOldPackages) return undefined;
  return (verdict.errors ?? ['npm does not allow it']).join(', ');
}

/**
 * As `nameProblem` for packages that other registries have: a hyphen in front, which npm allows for new ones no more, is no problem.
 */
export function foreignNameProblem(name: string): string | undefined {
  return nameProblem(/^-./.test(name) ? `x${name.slice(1)}` : name);
}

/** @throws GatehouseError `invalid_request` in GitLab's words, followed by what is wrong with this name. */
export function requireValidName(name: string): void {
  const problem = nameProblem(name);
  if (problem === undefined) return;
  throw new GatehouseError('invalid_request', `${invalidNameText} "${shorten(name)}" is not one: ${problem}.`, {
    gitlabMessage: invalidNameText,
  });
}

const invalidNameText =
  'Validation failed: Name should be a valid NPM package name: https://github.com/npm/validate-npm-package-name#naming-rules.';

/** The scope with its at sign, or null for an unscoped name. */
export function scopeOf(name: string): string | null {
  const slash = name.indexOf('/');
  return name.startsWith('@') && slash > 0 ? name.slice(0, slash) : null;
}

/** The name without its scope. */
export function baseNameOf(name: string): string {
  return scopeOf(name) === null ? name : name.slice(name.indexOf('/') + 1);
}

/** The canonical file name of a tarball, as the public registry has it: without the scope. */
export function tarballFileName(name: string, version: string): string {
  return `${baseNameOf(name)}-${version}.tgz`;
}

/** The file name that `npm pack` gives a tarball: with the scope, and with no slash. */
export function packedFileName(name: string, version: string): string {
  return `${name.replace('@', '').replace('/', '-')}-${version}.tgz`;
}

/** Splits `name@range`, also `@scope/name@range`; the range, which may be a tag, is empty where there is none. */
export function splitSpec(spec: string): { name: string; range: string } {
  const at = spec.indexOf('@', 1);
  return at === -1 ? { name: spec, range: '' } : { name: spec.slice(0, at), range: spec.slice(at + 1) };
}

/** The version that a tarball's file name names, with or without the scope; undefined if it is no file name of this package. */
export function versionInFileName(name: string, file: string): string | undefined {
  for (const prefix of [`${baseNameOf(name)}-`, `${name}-`]) {
    if (file.startsWith(prefix) && file.endsWith('.tgz')) return file.slice(prefix.length, -'.tgz'.length);
  }
  return undefined;
}
