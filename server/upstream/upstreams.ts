import { GatehouseError } from '../contract/errors.ts';
import type { OfflineMode, Upstream } from '../contract/upstream.ts';
import type { Actor, Change, UnitOfWork } from '../accounts/change.ts';
import type { SecretBox } from './secret-box.ts';
import type { UpstreamRow, UpstreamStore } from './upstream-store.ts';
import type { Connectivity } from './network/connectivity.ts';

export type NewUpstream = Omit<UpstreamRow, 'id' | 'token'> & { readonly token: string | null };
export type UpstreamChange = { readonly [K in keyof NewUpstream]?: NewUpstream[K] | undefined };

const modeKey = 'upstream.offlineMode';
const reservedKey = 'upstream.reservedScopes';
const trustedKey = 'bundles.trustedKeys';
/** Of the place where packages out of bundles are kept. */
export const archiveName = 'bundles';

/** The other registries that are set up. Rows are held in memory, since every request for an unknown name looks at them. */
export class Upstreams {
  readonly #store: UpstreamStore;
  readonly #unitOfWork: UnitOfWork;
  readonly #secrets: SecretBox;
  #rows: readonly UpstreamRow[];

  constructor(store: UpstreamStore, unitOfWork: UnitOfWork, secrets: SecretBox) {
    this.#store = store;
    this.#unitOfWork = unitOfWork;
    this.#secrets = secrets;
    this.#rows = store.list();
  }

  /** Reads the rows again: the data folder was turned back to another state. */
  reload(): void {
    this.#rows = this.#store.list();
  }

  get all(): readonly UpstreamRow[] {
    return this.#rows;
  }

  get offlineMode(): OfflineMode {
    const mode = this.#store.setting(modeKey);
    return mode === 'on' || mode === 'off' ? mode : 'auto';
  }

  get reservedScopes(): string[] {
    const text = this.#store.setting(reservedKey);
    return text === undefined ? [] : (JSON.parse(text) as string[]);
  }

  /** Fingerprints of the keys whose bundles are trusted. */
  get trustedKeys(): string[] {
    const text = this.#store.setting(trustedKey);
    return text === undefined ? [] : (JSON.parse(text) as string[]);
  }

  async setTrustedKeys(keys: readonly string[], actor: Actor): Promise<void> {
    const before = this.trustedKeys;
    const after = [...new Set(keys)].toSorted();
    await this.#unitOfWork.write((change) => {
      this.#store.setSetting(trustedKey, JSON.stringify(after));
      change.record({
        actor,
        action: 'bundles.keys_trusted',
        target: { type: 'setting', id: null, name: 'trusted keys' },
        before: { keys: before },
        after: { keys: after },
      });
      change.emit('upstream.changed', { subject: 'settings', upstreamId: null });
    });
  }

  find(id: number): UpstreamRow | undefined {
    return this.#rows.find((row) => row.id === id);
  }

  /** By id or by name. @throws GatehouseError `not_found`. */
  require(reference: number | string): UpstreamRow {
    const found = this.#rows.find(
      (row) => row.id === reference || row.name.toLowerCase() === String(reference).toLowerCase(),
    );
    if (found) return found;
    const known = this.#rows.map((row) => row.name).join(', ');
    throw new GatehouseError(
      'not_found',
      `There is no upstream "${reference}"${known === '' ? '; none is set up' : `; there are ${known}`}.`,
    );
  }

  /** @throws GatehouseError `conflict` for a name that is taken, `invalid_request`. */
  async create(input: NewUpstream, actor: Actor): Promise<UpstreamRow> {
    this.#requireFreeName(input.name, undefined);
    requireSensible(input);
    const row = {
      ...input,
      url: trimmed(input.url),
      pushUrl: trimmed(input.pushUrl),
      token: this.#sealed(input.token),
    };
    const id = await this.#write((change) => {
      const id = this.#store.insert(row, change.now);
      note(change, actor, 'upstream.created', { ...row, id }, null, shown(row));
      return id;
    });
    return this.require(id);
  }

  /** Changes what is given. A new address without a new token takes the old token away: it was for somebody else. */
  async update(id: number, input: UpstreamChange, actor: Actor): Promise<UpstreamRow> {
    const before = this.require(id);
    if (input.name !== undefined) this.#requireFreeName(input.name, id);
    const given = Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined));
    const after: UpstreamRow = { ...before, ...(given as Partial<UpstreamRow>) };
    const [url, pushUrl] = [trimmed(after.url), trimmed(after.pushUrl)];
    const known = new Set([originOf(before.url), originOf(before.pushUrl ?? before.url)]);
    const movedAway = [url, pushUrl ?? url].some((target) => !known.has(originOf(target)));
    const token = input.token === undefined ? (movedAway ? null : before.token) : this.#sealed(input.token);
    const row = { ...after, url, pushUrl, token };
    requireSensible(row);
    await this.#write((change) => {
      this.#store.update(row, change.now);
      note(change, actor, 'upstream.updated', row, shown(before), shown(row));
    });
    return this.require(id);
  }

  /** Removes an upstream with all that was fetched from it; answers the contents that were in use. */
  async remove(id: number, actor: Actor): Promise<string[]> {
    const row = this.require(id);
    return this.#write((change) => {
      const contents = this.#store.dropCached(id, undefined);
      this.#store.remove(id);
      note(change, actor, 'upstream.removed', row, shown(row), null);
      return contents;
    });
  }

  /** The place of packages that came in bundles; made when the first one comes. */
  async archive(actor: Actor): Promise<UpstreamRow> {
    const present = this.#rows.find((row) => row.kind === 'archive');
    if (present) return present;
    return this.create(
      {
        name: archiveName,
        kind: 'archive',
        url: '',
        pushUrl: null,
        scopes: [],
        enabled: true,
        minimumAgeDays: 0,
        minimumAgeExceptions: [],
        freshSeconds: 0,
        budgetMilliseconds: 50,
        pushSelection: [],
        autoPush: false,
        token: null,
      },
      actor,
    );
  }

  async setOfflineMode(mode: OfflineMode, actor: Actor): Promise<void> {
    const before = this.offlineMode;
    await this.#unitOfWork.write((change) => {
      this.#store.setSetting(modeKey, mode);
      change.record({
        actor,
        action: 'offline.changed',
        target: { type: 'setting', id: null, name: 'offline' },
        before: { mode: before },
        after: { mode },
      });
      change.emit('upstream.changed', { subject: 'offline', upstreamId: null });
    });
  }

  async setReservedScopes(scopes: readonly string[], actor: Actor): Promise<void> {
    const before = this.reservedScopes;
    const after = [...new Set(scopes.map((scope) => scope.toLowerCase()))].toSorted();
    await this.#unitOfWork.write((change) => {
      this.#store.setSetting(reservedKey, JSON.stringify(after));
      change.record({
        actor,
        action: 'upstream.scopes_reserved',
        target: { type: 'setting', id: null, name: 'reserved scopes' },
        before: { scopes: before },
        after: { scopes: after },
      });
      change.emit('upstream.changed', { subject: 'settings', upstreamId: null });
    });
  }

  /** An upstream as the window sees it: never its token. */
  describe(row: UpstreamRow, connectivity: Connectivity): Upstream {
    const { token, ...rest } = row;
    return {
      ...rest,
      scopes: [...row.scopes],
      minimumAgeExceptions: [...row.minimumAgeExceptions],
      pushSelection: [...row.pushSelection],
      hasToken: token !== null,
      state: connectivity.stateOf(row.id),
      cache: this.#store.cacheSize(row.id),
    };
  }

  #sealed(token: string | null): string | null {
    return token === null || token === '' ? null : this.#secrets.seal(token);
  }

  #requireFreeName(name: string, except: number | undefined): void {
    const taken = this.#rows.some((row) => row.id !== except && row.name.toLowerCase() === name.toLowerCase());
    if (taken) throw new GatehouseError('conflict', `There is an upstream called "${name}" already.`);
  }

  async #write<T>(work: (change: Change) => T): Promise<T> {
    try {
      return await this.#unitOfWork.write(work);
    } finally {
      this.reload();
    }
  }
}

function requireSensible(row: Pick<NewUpstream, 'autoPush' | 'pushSelection' | 'kind' | 'url'>): void {
  if (row.autoPush && (row.pushSelection.length === 0 || row.pushSelection.includes('*'))) {
    throw new GatehouseError(
      'invalid_request',
      'Name the packages or scopes that are to be sent by themselves; "everything" would carry every private package there.',
    );
  }
}

function trimmed(url: string): string;
function trimmed(url: string | null): string | null;
function trimmed(url: string | null): string | null {
  return url === null ? null : url.replace(/[?#].*$/, '').replace(/(?<!\/)\/+$/, '');
}

function originOf(url: string): string {
  return URL.canParse(url) ? new URL(url).origin : '';
}

/** What the audit trail shows of an upstream. */
function shown(row: Omit<UpstreamRow, 'id'>): Record<string, unknown> {
  const { token, ...rest } = row;
  return { ...rest, hasToken: token !== null };
}

function note(
  change: Change,
  actor: Actor,
  action: string,
  row: Pick<UpstreamRow, 'id' | 'name'>,
  before: unknown,
  after: unknown,
): void {
  change.record({ actor, action, target: { type: 'upstream', id: row.id, name: row.name }, before, after });
  change.emit('upstream.changed', { subject: 'settings', upstreamId: row.id });
}
