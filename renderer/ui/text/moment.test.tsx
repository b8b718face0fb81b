import { act, cleanup, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { formatAgo } from './format.ts';
import { Moment, useDayHeading } from './moment.tsx';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

it('is true at once on a screen that is opened again after minutes', () => {
  const time = Date.now();
  render(<Moment time={time} />).unmount();
  vi.advanceTimersByTime(19 * 60_000);
  render(<Moment time={time} />);
  expect(screen.getByText('19 minutes ago')).toBeTruthy();
});

it('moves on while it is on screen, from a time that is to come to one that passed', () => {
  render(<Moment time={Date.now() + 30_000} />);
  expect(screen.getByText('in 30 seconds')).toBeTruthy();
  act(() => void vi.advanceTimersByTime(10_000));
  expect(screen.getByText('in 20 seconds')).toBeTruthy();
  act(() => void vi.advanceTimersByTime(140_000));
  expect(screen.getByText('2 minutes ago')).toBeTruthy();
});

it('calls a day yesterday once it has ended, while it is on screen', () => {
  vi.setSystemTime(new Date(2026, 10, 22, 23, 59, 58));
  const time = Date.now();
  function Heading() {
    return <h2>{useDayHeading()(time)}</h2>;
  }
  render(<Heading />);
  expect(screen.getByText('Today')).toBeTruthy();
  act(() => void vi.advanceTimersByTime(3_000));
  expect(screen.getByText('Yesterday')).toBeTruthy();
});

it.each([
  [0, 'just now'],
  [44_000, 'just now'],
  [-500, 'just now'],
  [-30_000, 'in 30 seconds'],
  [-5 * 60_000, 'in 5 minutes'],
  [-3 * 3_600_000, 'in 3 hours'],
  [-86_400_000, 'tomorrow'],
  [5 * 60_000, '5 minutes ago'],
  [59.8 * 60_000, '1 hour ago'],
])('of an age of %i ms is %j', (age, text) => {
  expect(formatAgo(1_000_000_000_000, 1_000_000_000_000 + age)).toBe(text);
});

it('counts days of the calendar: Saturday night is not yesterday on Monday morning', () => {
  const now = new Date(2026, 10, 23, 0, 30).getTime();
  expect(formatAgo(now - 25 * 3_600_000, now)).toBe('2 days ago');
  expect(formatAgo(now - 24 * 3_600_000, now)).toBe('yesterday');
  expect(formatAgo(now - 23 * 3_600_000, now)).toBe('23 hours ago');
});
