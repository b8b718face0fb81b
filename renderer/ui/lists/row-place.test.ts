import { act, cleanup, renderHook } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { useRowPlace } from './row-place.ts';

afterEach(cleanup);

/** A list of rows by their letters; `seen` has the current row and, for each row, the number of its element. */
function show(first: string) {
  const letter = (row: string) => row;
  const { result, rerender } = renderHook(({ rows }) => useRowPlace(rows.split(''), letter, undefined), {
    initialProps: { rows: first },
  });
  let shown = first;
  return {
    become: (rows: string) => rerender({ rows: (shown = rows) }),
    focus: (row: string) => act(() => result.current.setCurrent(row, shown.indexOf(row))),
    seen: () => ({
      current: shown[result.current.currentIndex],
      elements: shown
        .split('')
        .map((row, index) => `${row}${result.current.elementOf(index)}`)
        .join(' '),
    }),
  };
}

it('draws other rows in the same elements', () => {
  const { become, seen } = show('abc');
  become('xyz');
  expect(seen()).toEqual({ current: 'x', elements: 'x0 y1 z2' });
});

it('keeps the element of the current row, which may have the focus, when a row comes above it', () => {
  const { become, focus, seen } = show('abcd');
  focus('b');
  become('xabcd');
  expect(seen()).toEqual({ current: 'b', elements: 'x0 a2 b1 c3 d4' });
  focus('c');
  expect(seen()).toEqual({ current: 'c', elements: 'x0 a1 b2 c3 d4' });
});

it('keeps the element that draws a row when that becomes the current one', () => {
  const { become, focus, seen } = show('abc');
  focus('b');
  become('xabc');
  expect(seen().elements).toBe('x0 a2 b1 c3');
  focus('a');
  expect(seen()).toEqual({ current: 'a', elements: 'x0 a2 b1 c3' });
});

it('hands the element of a current row that is gone to the row in its place', () => {
  const { become, focus, seen } = show('abcd');
  focus('b');
  become('xabcd');
  become('xacd');
  expect(seen()).toEqual({ current: 'c', elements: 'x0 a2 c1 d3' });
  become('x');
  expect(seen()).toEqual({ current: 'x', elements: 'x1' });
});
