import { GatehouseError } from '../contract/errors.ts';

/** Codes of Node and SQLite that have a cause that a person can act upon. */
const causes: Readonly<Record<string, () => GatehouseError>> = {
  ENOSPC: () => new GatehouseError('storage_full'),
  EDQUOT: () => new GatehouseError('storage_full'),
  SQLITE_FULL: () => new GatehouseError('storage_full'),
  EMFILE: () =>
    new GatehouseError('shutting_down', 'The server has too many files open. Try again in a moment.', {
      retryAfterSeconds: 5,
    }),
  ENFILE: () =>
    new GatehouseError('shutting_down', 'The machine has too many files open. Try again in a moment.', {
      retryAfterSeconds: 5,
    }),
  SQLITE_CANTOPEN: () =>
    new GatehouseError('shutting_down', 'The database cannot be opened right now. Try again in a moment.', {
      retryAfterSeconds: 5,
    }),
  SQLITE_BUSY: () =>
    new GatehouseError('shutting_down', 'The database is busy. Try again in a moment.', { retryAfterSeconds: 2 }),
  EROFS: () => new GatehouseError('storage_full', 'The data folder became read-only. Nothing was stored.'),
  SQLITE_READONLY: () => new GatehouseError('storage_full', 'The database became read-only. Nothing was stored.'),
  SQLITE_CORRUPT: () => new GatehouseError('data_damaged'),
  SQLITE_NOTADB: () => new GatehouseError('data_damaged'),
};

/** Any error as one of the table's. What is not known becomes `internal`, whose details belong in the log and nowhere else. */
export function asGatehouseError(error: unknown): GatehouseError {
  if (error instanceof GatehouseError) return error;
  const code = error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
  const known = Object.keys(causes).find(
    (cause) => code === cause || (cause.startsWith('SQLITE') && code.startsWith(`${cause}_`)),
  );
  return (known === undefined ? undefined : causes[known]?.()) ?? new GatehouseError('internal');
}
