import { render } from '@testing-library/react';
import { expect, it } from 'vitest';
import { TailText } from './tail-text.tsx';

const pieces = (text: string, tail: number, head?: number) => {
  const { container } = render(<TailText text={text} tail={tail} {...(head !== undefined && { head })} />);
  expect(container.textContent).toBe(text);
  return [...container.querySelectorAll('.gh-tail-text > span')].map((piece) => piece.textContent);
};

it('keeps the last part of a long name together', () => {
  expect(pieces('customers/europe/west/production-2', 14)).toEqual(['customers/europe/west', '/production-2']);
});

it('keeps the last word of a name in words together', () => {
  expect(pieces('CI of the boiler repository', 12)).toEqual(['CI of the boiler', ' repository']);
});

it('keeps exactly the end that is asked for', () => {
  const { container } = render(<TailText text="feature-with-a-long-name-2027" tail={9} exact />);
  expect(container.querySelector('bdi')?.textContent).toBe('name-2027');
});

it('does not begin the end with a dot, which would stand after the three of the ellipsis', () => {
  expect(pieces('12.34.567-beta.20270131.identifier', 12)).toEqual(['12.34.567-beta.20270131.', 'identifier']);
});

it('cuts anywhere where the end has no parts', () => {
  expect(pieces('averylongnamewithoutanyparts', 8)).toEqual(['averylongnamewithout', 'anyparts']);
});

it('keeps the version of a short name where there is no room for both', () => {
  expect(pieces('kettle@1.1.0', 6, 4)).toEqual(['kettle', '@1.1.0']);
});

it('leaves a short name in one piece', () => {
  expect(pieces('@acme/ui', 18)).toEqual([]);
});

it('divides the end of a path into its parts where it is asked to, so that none is cut in the middle', () => {
  const path = '/api/v4/users/1/personal_access_tokens';
  const { container } = render(
    <TailText text={path} tail={path.length - '/api/v4'.length} head={4} exact wholeParts />,
  );
  expect(container.textContent).toBe(path);
  expect([...container.querySelectorAll('bdi')].map((part) => part.textContent)).toEqual([
    '/users',
    '/1',
    '/personal_access_tokens',
  ]);
});
