import { expect, it } from 'vitest';
import { bundleNameOf } from './export-text.ts';

it.each([
  ['a package', ['tiny-queue'], 'tiny-queue'],
  ['a range of a package with a scope', ['@acme/tool@^1'], 'acme-tool'],
  ['a scope', ['@acme/*'], 'acme'],
  ['everything', ['*'], 'packages'],
  ['several', ['@acme/*', 'vite@^7'], 'packages'],
  ['a name that would be hidden', ['.._x'], '_x'],
  ['a name as long as npm allows', [`@${'a'.repeat(100)}/${'b'.repeat(100)}`], 'a'.repeat(80)],
])('the file of %s is called after what it holds', (_what, selectors, name) => {
  expect(bundleNameOf(selectors)).toBe(name);
});
