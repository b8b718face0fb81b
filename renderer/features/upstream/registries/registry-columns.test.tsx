import { MantineProvider } from '@mantine/core';
import { cleanup, render } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import type { Upstream } from '../../../../server/contract/upstream.ts';
import { registryColumns } from './registry-columns.tsx';

afterEach(cleanup);

it('names all scopes of a registry, whatever their length: only the width of the column cuts them', () => {
  const upstream = { kind: 'npm', scopes: ['@acme', '@a-scope-with-a-long-name', '*', '@web'] } as Upstream;
  const column = registryColumns([upstream]).find(({ key }) => key === 'Scopes');
  const { container } = render(<MantineProvider env="test">{column?.cell(upstream)}</MantineProvider>);
  expect(container.querySelector('.gh-truncate')?.textContent).toBe(
    '@acme, @a-scope-with-a-long-name, all others, @web',
  );
});
