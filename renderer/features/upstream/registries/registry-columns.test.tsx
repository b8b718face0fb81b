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
    '@acme, @a-scope-with-a-long-name, All others, @web',
  );
});

it('keeps the end of a long URL in sight, at which registries of one host differ', () => {
  const url = 'https://gitlab.example.com/api/v4/projects/1234/packages/npm';
  const upstream = {
    kind: 'gitlab',
    name: 'Company',
    url,
    scopes: ['@acme'],
    pushSelection: [] as string[],
  } as Upstream;
  const column = registryColumns([upstream]).find(({ label }) => label === 'Registry');
  const { container } = renderInWindow(column?.cell(upstream));
  expect(container.querySelector('.gh-tail-text')?.textContent).toBe(url);
  expect(container.querySelector('.gh-tail-text bdi')?.textContent).toBe('/projects/1234/packages/npm');
});
