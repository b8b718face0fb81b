import { expect, it } from 'vitest';
import { formatClock } from './format.ts';
import { readLogLine } from './log-snippet.tsx';

it('reads level and message out of a line of the server', () => {
  expect(readLogLine('{"level":50,"msg":"listen EADDRINUSE"}')).toBe('error: listen EADDRINUSE');
});

it('puts the time before and the cause behind', () => {
  const time = Date.now();
  const line = readLogLine(JSON.stringify({ level: 40, time, msg: 'sweep failed', err: { message: 'EIO' } }));
  expect(line).toBe(`${formatClock(time)} warning: sweep failed: EIO`);
});

it('says a cause once that the message names already', () => {
  expect(readLogLine('{"level":50,"msg":"EIO: disk","err":{"message":"EIO"}}')).toBe('error: EIO: disk');
});

it('leaves what is not of the server as it is', () => {
  expect(readLogLine('    at Object.<anonymous> (main.js:1:1)')).toBe('    at Object.<anonymous> (main.js:1:1)');
  expect(readLogLine('{"level":50')).toBe('{"level":50');
  expect(readLogLine('[1,2]')).toBe('[1,2]');
});
