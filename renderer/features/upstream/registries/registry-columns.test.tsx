import { MantineProvider } from '@mantine/core';
import { cleanup, render } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import type { Upstream } from '../../../../server/contract/upstream.ts';
import { registryColumns } from './registry-columns.tsx';

afterEach(cleanup);

it.each([
  [['@acme', '@tools'], '@acme, @tools', null],
  [
    ['@acme', '@tools', '@components', '*', '@web'],
    '@acme, @tools, @components+2',
    '@acme, @tools, @components, all others, @web',
  ],
  [['@a-scope-with-a-long-name', '@web'], '@a-scope-with-a-long-name+1', '@a-scope-with-a-long-name, @web'],
])('of the scopes %j the row says %j', (scopes, text, tooltip) => {
  const upstream = { kind: 'npm', scopes } as Upstream;
  const column = registryColumns([upstream]).find(({ key }) => key === 'Scopes');
  const { container } = render(<MantineProvider env="test">{column?.cell(upstream)}</MantineProvider>);
  expect(container.querySelector('.gh-scopes')?.textContent).toBe(text);
  expect(container.querySelector('.gh-scopes')?.getAttribute('data-tip')).toBe(tooltip);
});
