import type { NewToken, TokenStore } from '../../../accounts/directory-store.ts';
import type { TokenScope } from '../../../accounts/access/principal.ts';
import type { TokenRecord } from '../../../accounts/records.ts';
import type { Sqlite } from '../sqlite.ts';

type TokenRow = Omit<TokenRecord, 'scopes'> & { readonly scopes: string };

/** Personal access tokens in SQLite; the secret itself is never stored. */
export function sqliteTokens(sqlite: Sqlite): TokenStore {
  const select = `SELECT id, user_id AS userId, name, description, scopes, hint, created_at AS createdAt, expires_on AS expiresOn,
    revoked_at AS revokedAt, last_used_at AS lastUsedAt FROM access_tokens`;
  const all = sqlite.prepare<[], TokenRow>(`${select} ORDER BY id`);
  const ofUser = sqlite.prepare<[number], TokenRow>(`${select} WHERE user_id = ? ORDER BY id`);
  const byId = sqlite.prepare<[number], TokenRow>(`${select} WHERE id = ?`);
  const byHash = sqlite.prepare<[Buffer], TokenRow>(`${select} WHERE token_sha256 = ?`);
  const insert = sqlite.prepare<Omit<NewToken, 'scopes'> & { readonly scopes: string }>(
    `INSERT INTO access_tokens (user_id, name, description, scopes, token_sha256, hint, created_at, expires_on)
     VALUES (:userId, :name, :description, :scopes, :sha256, :hint, :createdAt, :expiresOn)`,
  );
  const revoke = sqlite.prepare<[number, number]>(
    'UPDATE access_tokens SET revoked_at = ? WHERE id = ? AND revoked_at IS NULL',
  );
  const deleteEnded = sqlite.prepare<[number, string, number]>(
    `DELETE FROM access_tokens WHERE id IN (SELECT id FROM access_tokens
       WHERE user_id = ? AND (revoked_at IS NOT NULL OR expires_on <= ?) ORDER BY id DESC LIMIT -1 OFFSET ?)`,
  );
  const touch = sqlite.prepare<[number, number]>('UPDATE access_tokens SET last_used_at = ? WHERE id = ?');

  return {
    list: (userId) => (userId === undefined ? all.all() : ofUser.all(userId)).map(toToken),
    find: (id) => optional(byId.get(id)),
    findBySha256: (sha256) => optional(byHash.get(sha256)),
    insert: (token) => Number(insert.run({ ...token, scopes: token.scopes.join(' ') }).lastInsertRowid),
    revoke: (id, at) => void revoke.run(at, id),
    deleteEnded: (userId, day, kept) => void deleteEnded.run(userId, day, kept),
    touch: (id, lastUsedAt) => void touch.run(lastUsedAt, id),
  };
}

function toToken(row: TokenRow): TokenRecord {
  return { ...row, scopes: row.scopes.split(' ') as TokenScope[] };
}

function optional(row: TokenRow | undefined): TokenRecord | undefined {
  return row && toToken(row);
}
