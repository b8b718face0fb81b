import { expect, it } from 'vitest';
import { CallFailed, errorTitle, unwrap } from './call.ts';

it('shows the screens no text that reverses, hides or overprints what stands beside it', () => {
  const value = { rows: [{ name: 'a\u202eb', count: 1, none: null, lines: 'x\n\ty\u0007' }], 'k\u2066': ['👩‍💻'] };
  expect(unwrap({ ok: true, value })).toEqual({
    rows: [{ name: 'a�b', count: 1, none: null, lines: 'x\n\ty�' }],
    'k�': ['👩‍💻'],
  });
});

it('does so with errors, too', () => {
  const error = { code: 'not_found', message: 'No \u001b[2Jx', details: { messages: ['\u202ey'] } } as const;
  expect(() => unwrap({ ok: false, error })).toThrow(new CallFailed({ ...error, message: 'No �[2Jx' }));
  expect(new CallFailed(error).details.messages).toEqual(['�y']);
});

it('does not call the refusal of a rule a fault', () => {
  const failed = (code: CallFailed['code']) => errorTitle(new CallFailed({ code, message: 'x', details: {} }));
  expect((['forbidden', 'conflict', 'unprocessable', 'not_found'] as const).map(failed)).toEqual(
    Array<string>(4).fill('Nothing was changed'),
  );
  expect((['internal', 'app_timeout', 'storage_full'] as const).map(failed)).toEqual(
    Array<string>(3).fill('Something went wrong'),
  );
  expect(errorTitle(new Error('x'))).toBe('Something went wrong');
});
