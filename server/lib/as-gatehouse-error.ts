import { type ErrorCode, GatehouseError } from '../contract/errors.ts';

/** Codes of Node and SQLite whose cause a person can act upon. */
const causes: Readonly<Record<string, readonly [code: ErrorCode, text?: string, retryAfterSeconds?: number]>> = {
  ENOSPC: ['storage_full'],
  EDQUOT: ['storage_full'],
  SQLITE_FULL: ['storage_full'],
  EMFILE: ['shutting_down', 'The server has too many files open. Try again in a moment.', 5],
  ENFILE: ['shutting_down', 'The machine has too many files open. Try again in a moment.', 5],
  SQLITE_CANTOPEN: ['shutting_down', 'The database cannot be opened right now. Try again in a moment.', 5],
  SQLITE_BUSY: ['shutting_down', 'The database is busy. Try again in a moment.', 2],
  EROFS: ['storage_full', 'The data folder became read-only. Nothing was stored.'],
  SQLITE_READONLY: ['storage_full', 'The database became read-only. Nothing was stored.'],
  SQLITE_CORRUPT: ['data_damaged'],
  SQLITE_NOTADB: ['data_damaged'],
};

/** Any error as a `GatehouseError`. An unknown one becomes `internal`; its details belong in the log only. */
export function asGatehouseError(error: unknown): GatehouseError {
  if (error instanceof GatehouseError) return error;
  const found = error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
  const cause = Object.keys(causes).find(
    (known) => found === known || (known.startsWith('SQLITE') && found.startsWith(`${known}_`)),
  );
  const [code, text, retryAfterSeconds] = causes[cause ?? ''] ?? ['internal' as const];
  return new GatehouseError(code, text, retryAfterSeconds === undefined ? {} : { retryAfterSeconds });
}
