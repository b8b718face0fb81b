import { MantineProvider } from '@mantine/core';
import { render } from '@testing-library/react';
import { expect, it } from 'vitest';
import { Snippet } from './snippet.tsx';

const steps = (code: string) => {
  const { container } = render(<Snippet code={code} copyLabel="Copy" />, { wrapper: MantineProvider });
  expect(container.querySelector('code')?.textContent).toBe(code);
  return [...container.querySelectorAll('.gh-snippet-step')].map((step) => step.textContent);
};

it('wraps a line of several commands after what joins them, as a shell does', () => {
  expect(steps('mkdir hello && cd hello && npm publish')).toEqual(['mkdir hello && ', 'cd hello && ', 'npm publish']);
  expect(steps('mkdir hello; npm publish')).toEqual(['mkdir hello; ', 'npm publish']);
});

it('leaves a line of one command in one piece', () => {
  expect(steps('npm install @acme/boiler')).toEqual([]);
});
