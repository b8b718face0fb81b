import { existsSync, mkdtempSync, rmSync, utimesSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { askForTurn, isTurnAsked } from './turn.ts';

let folder = '';
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  folder = mkdtempSync(join(tmpdir(), 'gatehouse-turn-'));
});
afterEach(() => {
  vi.useRealTimers();
  rmSync(folder, { recursive: true });
});

it('is asked for until it is given back', () => {
  expect(isTurnAsked(folder)).toBe(false);
  const giveUp = askForTurn(folder);
  expect(isTurnAsked(folder)).toBe(true);
  giveUp();
  expect(isTurnAsked(folder)).toBe(false);
  vi.advanceTimersByTime(5000);
  expect(existsSync(join(folder, 'gatehouse.turn'))).toBe(false);
});

it('is asked for again by a command that is still at work when another has ended', () => {
  const first = askForTurn(folder);
  const second = askForTurn(folder);
  first();
  vi.advanceTimersByTime(1000);
  expect(isTurnAsked(folder)).toBe(true);
  second();
});

it.each([-60_000, 60_000])('of a command that was killed counts no more, %i ms from now by the clock', (offset) => {
  const giveUp = askForTurn(folder);
  const then = new Date(Date.now() + offset);
  utimesSync(join(folder, 'gatehouse.turn'), then, then);
  expect(isTurnAsked(folder)).toBe(false);
  giveUp();
});
