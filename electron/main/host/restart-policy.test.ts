import { describe, expect, it } from 'vitest';
import { exitCodes } from '../../../server/contract/errors.ts';
import { failureNamed } from './failures.ts';
import { judgeExit, type Exit } from './restart-policy.ts';

const crash: Exit = { code: 1, wasReady: true, named: null, uptime: 1_000, restarts: 0 };

describe('an exit that was not requested', () => {
  it.each(['portTaken', 'dataFolderUnwritable', 'dataFolderLocked', 'databaseDamaged', 'schemaTooNew'] as const)(
    'gives up on %s',
    (failure) => {
      expect(judgeExit({ ...crash, code: exitCodes[failure] })).toEqual({ kind: 'give-up', failure });
    },
  );

  it('gives up on a failure that the server named', () => {
    expect(judgeExit({ ...crash, named: failureNamed('portTaken') })).toEqual({
      kind: 'give-up',
      failure: 'portTaken',
    });
    expect(failureNamed('somethingNew')).toBeNull();
  });

  it('leads to a restart after a crash, a signal and an exit with 0', () => {
    for (const code of [1, null, 0])
      expect(judgeExit({ ...crash, code })).toMatchObject({ kind: 'restart', attempt: 1 });
  });

  it('has growing delays and gives up in the end', () => {
    const verdicts = [0, 1, 2, 3, 4, 5].map((restarts) => judgeExit({ ...crash, restarts }));
    const delays = verdicts.flatMap((verdict) => (verdict.kind === 'restart' ? [verdict.delay] : []));
    expect(delays).toEqual([...delays].sort((a, b) => a - b));
    expect(delays).toHaveLength(5);
    expect(verdicts.at(-1)).toEqual({ kind: 'give-up', failure: 'crashed' });
  });

  it('counts as the first after a long run', () => {
    expect(judgeExit({ ...crash, restarts: 5, uptime: 3_600_000 })).toMatchObject({ kind: 'restart', attempt: 1 });
  });

  it('leads to no restart of a server that was never ready', () => {
    expect(judgeExit({ ...crash, wasReady: false, uptime: 0 })).toEqual({ kind: 'give-up', failure: 'failed' });
  });
});
