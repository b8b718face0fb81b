import { cleanup, screen } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import type { PackageVersion } from '../../../../server/contract/packages.ts';
import { renderInWindow } from '../../../test/render-in-window.tsx';
import { DeprecateDialog } from './deprecate-dialog.tsx';

// A text field that grows watches them.
Object.defineProperty(document, 'fonts', { value: new EventTarget() });
afterEach(cleanup);

const version = (name: string, deprecated: string | null = null) =>
  ({ version: name, deprecated }) as unknown as PackageVersion;

it.each([
  [
    'names the versions that it is about',
    [version('1.1.0'), version('1.0.0', 'Old.')],
    'Deprecate',
    ['1.1.0', '1.0.0'],
  ],
  ['says that there is a deprecation already', [version('1.0.0', 'Old.')], 'Change the deprecation of', []],
])('%s', (_, versions, verb, listed) => {
  renderInWindow(
    <DeprecateDialog packageId={1} subject="some" versions={versions} tags={[]} onClose={() => undefined} />,
  );
  expect(screen.getByRole('dialog', { name: `${verb} some` })).toBeTruthy();
  expect(screen.queryAllByRole('listitem').map(({ textContent }) => textContent)).toEqual(listed);
});
