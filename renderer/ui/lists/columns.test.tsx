import { cleanup, render } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { RowName } from './columns.tsx';

afterEach(cleanup);

it('does not say the name of a row twice', () => {
  const textOf = (name: string, id: string) =>
    [...(render(<RowName name={name} id={id} />).container.firstElementChild?.children ?? [])].map(
      (part) => part.textContent,
    );
  expect(textOf('local', 'local')).toEqual(['local']);
  expect(textOf('Tools', 'acme/tools')).toEqual(['Tools', 'acme/tools']);
});
