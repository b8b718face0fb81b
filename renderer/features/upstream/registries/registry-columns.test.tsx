import { cleanup } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import type { Upstream } from '../../../../server/contract/upstream.ts';
import { renderInWindow } from '../../../test/render-in-window.tsx';
import { registryColumns } from './registry-columns.tsx';

afterEach(cleanup);

it('names all scopes of a registry, whatever their length: only the width of the column cuts them', () => {
  const upstream = { kind: 'npm', scopes: ['@acme', '@a-scope-with-a-long-name', '*', '@web'] } as Upstream;
  const column = registryColumns([upstream]).find(({ key }) => key === 'Scopes');
  const { container } = renderInWindow(column?.cell(upstream));
  expect(container.querySelector('.gh-truncate')?.textContent).toBe(
    '@acme, @a-scope-with-a-long-name, all others, @web',
  );
});
