import type { TokenStore } from '../../../accounts/directory-store.ts';
import type { TokenScope } from '../../../accounts/access/principal.ts';
import type { TokenRecord } from '../../../accounts/records.ts';
import type { Sqlite } from '../sqlite.ts';

interface TokenRow {
  id: number;
  user_id: number;
  name: string;
  description: string;
  scopes: string;
  hint: string;
  created_at: number;
  expires_on: string | null;
  revoked_at: number | null;
  last_used_at: number | null;
}

const columns = 'id, user_id, name, description, scopes, hint, created_at, expires_on, revoked_at, last_used_at';

function toToken(row: TokenRow): TokenRecord {
  return {
    id: row.id,
    userId: row.user_id,
    name: row.name,
    description: row.description,
    scopes: row.scopes.split(' ') as TokenScope[],
    hint: row.hint,
    createdAt: row.created_at,
    expiresOn: row.expires_on,
    revokedAt: row.revoked_at,
    lastUsedAt: row.last_used_at,
  };
}

/** Personal access tokens in SQLite; the secret itself is never stored. */
export function sqliteTokens(sqlite: Sqlite): TokenStore {
  const all = sqlite.prepare<[], TokenRow>(`SELECT ${columns} FROM access_tokens ORDER BY id`);
  const ofUser = sqlite.prepare<[number], TokenRow>(
    `SELECT ${columns} FROM access_tokens WHERE user_id = ? ORDER BY id`,
  );
  const byId = sqlite.prepare<[number], TokenRow>(`SELECT ${columns} FROM access_tokens WHERE id = ?`);
  const byHash = sqlite.prepare<[Buffer], TokenRow>(`SELECT ${columns} FROM access_tokens WHERE token_sha256 = ?`);
  const insert = sqlite.prepare<unknown[]>(
    `INSERT INTO access_tokens (user_id, name, description, scopes, token_sha256, hint, created_at, expires_on)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const revoke = sqlite.prepare<[number, number]>(
    'UPDATE access_tokens SET revoked_at = ? WHERE id = ? AND revoked_at IS NULL',
  );
  const touch = sqlite.prepare<[number, number]>('UPDATE access_tokens SET last_used_at = ? WHERE id = ?');
  const optional = (row: TokenRow | undefined) => row && toToken(row);

  return {
    list: (userId) => (userId === undefined ? all.all() : ofUser.all(userId)).map(toToken),
    find: (id) => optional(byId.get(id)),
    findBySha256: (sha256) => optional(byHash.get(sha256)),
    insert: (token) =>
      Number(
        insert.run(
          token.userId,
          token.name,
          token.description,
          token.scopes.join(' '),
          token.sha256,
          token.hint,
          token.createdAt,
          token.expiresOn,
        ).lastInsertRowid,
      ),
    revoke: (id, at) => {
      revoke.run(at, id);
    },
    touch: (id, lastUsedAt) => {
      touch.run(lastUsedAt, id);
    },
  };
}
