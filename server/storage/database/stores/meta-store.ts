import { randomBytes } from 'node:crypto';
import { createSigningKey } from '../../../registry/publish/manifest-signer.ts';
import type { SigningKey } from '../../../registry/publish/manifest-signer.ts';
import type { Sqlite } from '../sqlite.ts';

/** Small facts about the data folder itself. */
export class MetaStore {
  readonly #sqlite: Sqlite;
  readonly #get;
  readonly #set;

  constructor(sqlite: Sqlite) {
    this.#sqlite = sqlite;
    this.#get = sqlite.prepare<[string], string>('SELECT value FROM meta WHERE key = ?').pluck();
    this.#set = sqlite.prepare<[string, string]>(
      'INSERT INTO meta (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value',
    );
  }

  get(key: string): string | undefined {
    return this.#get.get(key);
  }

  set(key: string, value: string): void {
    this.#set.run(key, value);
  }

  /**
   * A value that is new for each data folder and for each time that its state is turned back (restore, rewind), so that revisions and
   * entity tags never mean two things.
   */
  epoch(): string {
    return this.get('epoch') ?? this.renewEpoch();
  }

  /** For a state that is restored. */
  renewEpoch(): string {
    const epoch = randomBytes(4).toString('hex');
    this.set('epoch', epoch);
    return epoch;
  }

  /** For a state that is opened more than once: each time gets an epoch of its own. */
  forgetEpoch(): void {
    this.#sqlite.prepare("DELETE FROM meta WHERE key = 'epoch'").run();
  }

  /** The keys that versions are signed with, newest first; made on first start. */
  signingKeys(now: number): [SigningKey, ...SigningKey[]] {
    const [newest, ...older] = this.#sqlite
      .prepare<[], SigningKey>(
        `SELECT key_id AS keyId, public_key AS publicKey, private_key AS privateKey, created_at AS createdAt
           FROM signing_keys ORDER BY created_at DESC`,
      )
      .all();
    if (newest) return [newest, ...older];
    const key = createSigningKey(now);
    this.#sqlite
      .prepare<[string, string, string, number]>(
        'INSERT INTO signing_keys (key_id, public_key, private_key, created_at) VALUES (?, ?, ?, ?)',
      )
      .run(key.keyId, key.publicKey, key.privateKey, key.createdAt);
    return [key];
  }
}
