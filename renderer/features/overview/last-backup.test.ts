import { expect, it } from 'vitest';
import { lastBackupOf } from './last-backup.ts';

const backup = (createdAt: number) => ({
  file: 'x',
  size: 1,
  createdAt,
  packages: 1,
  versions: 1,
  tarballs: 1,
});

it('is the newest of those made by the clock and by hand', () => {
  const schedule = { archives: [{ file: 'a', size: 1, createdAt: 10 }] };
  expect(lastBackupOf(schedule, [{ backup: null }, { backup: backup(20) }])).toBe(20);
  expect(lastBackupOf(schedule, [])).toBe(10);
});

it('is nothing where none was made', () => {
  expect(lastBackupOf({ archives: [] }, [{ backup: null }])).toBeUndefined();
  expect(lastBackupOf(undefined, undefined)).toBeUndefined();
});
