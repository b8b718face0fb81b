import { expect, test } from 'vitest';
import { GatehouseError } from '../contract/errors.ts';
import { asGatehouseError, explainDataError, withPath } from './file-error.ts';

const failure = (code: string, path?: string): Error =>
  Object.assign(new Error(`${code}: it failed, open '${path}'`), { code, ...(path === undefined ? {} : { path }) });

test.each([
  ['EACCES', 503],
  ['EPERM', 503],
  ['EROFS', 503],
  ['EMFILE', 503],
  ['ENFILE', 503],
  ['EISDIR', 503],
  ['ENOTDIR', 503],
  ['EIO', 503],
  ['ENOSPC', 507],
  ['EDQUOT', 507],
  ['SQLITE_FULL', 507],
  ['SQLITE_BUSY', 503],
  ['SQLITE_BUSY_SNAPSHOT', 503],
  ['SQLITE_IOERR_WRITE', 503],
  ['SQLITE_READONLY_DBMOVED', 503],
  ['SQLITE_CORRUPT_VTAB', 503],
  ['SQLITE_NOTADB', 503],
  ['SQLITE_CANTOPEN', 503],
])('%s is a %i that says what is wrong, and only its owner learns where', (code, status) => {
  const isOfSqlite = code.startsWith('SQLITE');
  const error = failure(code, isOfSqlite ? undefined : '/data/tarballs/ab');
  const known = asGatehouseError(error);
  expect(known.status).toBe(status);
  expect(known.code).not.toBe('internal');
  expect(known.message).not.toContain('/data');
  expect(explainDataError(error, '/data')).toContain(isOfSqlite ? '/data/gatehouse.db ' : '/data/tarballs/ab ');
});

test('an error that is none of a file stays internal, and one of the registry stays what it is', () => {
  expect(asGatehouseError(failure('ERR_INVALID_ARG_TYPE')).code).toBe('internal');
  expect(explainDataError(new TypeError('x is not a function'), '/data')).toBeUndefined();
  const known = new GatehouseError('forbidden');
  expect(asGatehouseError(known)).toBe(known);
});

test('an error about a file that was open gets its path', () => {
  expect(explainDataError(withPath(failure('ENOSPC'), '/media/backup.tar'), '/data')).toMatch(/^\/media\/backup\.tar /);
  expect(explainDataError(failure('ENOSPC'), '/data')).toMatch(/^\/data /);
});
