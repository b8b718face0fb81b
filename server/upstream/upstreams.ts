import { GatehouseError } from '../contract/errors.ts';
import { npmAddress } from '../contract/upstream.ts';
import type { OfflineMode, Upstream } from '../contract/upstream.ts';
import type { Actor, Change, UnitOfWork } from '../accounts/change.ts';
import { chooseOrigin } from './outbox/origins.ts';
import type { OriginFacts } from './outbox/origins.ts';
import type { SecretBox } from './secret-box.ts';
import type { UpstreamRow, UpstreamStore } from './upstream-store.ts';
import type { Connectivity } from './network/connectivity.ts';

type UpstreamSettings = Omit<UpstreamRow, 'id'>;
export type UpstreamChange = { readonly [K in keyof UpstreamSettings]?: UpstreamSettings[K] | undefined };
/** What is left out is as in `defaultSettings`. The token is not encrypted yet. */
export type NewUpstream = UpstreamChange & Pick<UpstreamSettings, 'name' | 'kind' | 'url'>;

/** The settings of a new upstream where nothing else is given. */
export const defaultSettings = {
  pushUrl: null,
  scopes: [],
  enabled: true,
  minimumAgeDays: 0,
  minimumAgeExceptions: [],
  freshSeconds: 60,
  budgetMilliseconds: 3_000,
  timeoutMilliseconds: 5_000,
  pushSelection: [],
  pushFrom: null,
  autoPush: false,
  token: null,
} as const satisfies UpstreamChange;

/** The settings that are lists of texts. */
const lists = {
  trustedKeys: { key: 'bundles.trustedKeys', action: 'bundles.keys_trusted', name: 'trusted keys', field: 'keys' },
} as const;
const modeKey = 'upstream.offlineMode';

/** The settings of other registries. Rows stay in memory, since every request for a name that is not here reads them. */
export class Upstreams {
  readonly #store: UpstreamStore;
  readonly #unitOfWork: UnitOfWork;
  readonly #secrets: SecretBox;
  readonly #origins: OriginFacts;
  #rows: readonly UpstreamRow[];

  constructor(store: UpstreamStore, unitOfWork: UnitOfWork, secrets: SecretBox, origins: OriginFacts) {
    this.#store = store;
    this.#unitOfWork = unitOfWork;
    this.#secrets = secrets;
    this.#origins = origins;
    this.#rows = store.list();
  }

  /** Reads the rows again: the data folder was rewound to another state. */
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

  /** Fingerprints of the keys whose bundles are trusted. */
  get trustedKeys(): string[] {
    return this.#list('trustedKeys');
  }

  setTrustedKeys(keys: readonly string[], actor: Actor): Promise<void> {
    return this.#setList('trustedKeys', keys, actor);
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
    const settings: UpstreamSettings = { ...defaultSettings, ...definedOf(input) };
    requireNarrowAutoPush(settings);
    const row = {
      ...settings,
      url: npmAddress(settings.kind, trimmed(settings.url)),
      pushUrl: trimmed(settings.pushUrl),
      pushFrom: chooseOrigin(settings.pushSelection, settings.pushFrom, null, this.#origins),
      token: this.#sealed(settings.token),
    };
    const created = await this.#write((change) => {
      const id = this.#store.insert(row, change.now);
      recordChange(change, actor, 'upstream.created', { ...row, id }, null, withoutToken(row));
      return id;
    });
    return this.require(created);
  }

  /** Changes what is given. A new address without a new token removes the old token, which was for another registry. */
  async update(id: number, input: UpstreamChange, actor: Actor): Promise<UpstreamRow> {
    const before = this.require(id);
    if (input.name !== undefined) this.#requireFreeName(input.name, id);
    const given = definedOf(input);
    const after: UpstreamRow = { ...before, ...given };
    const [url, pushUrl] = [npmAddress(after.kind, trimmed(after.url)), trimmed(after.pushUrl)];
    const known = new Set([originOf(before.url), originOf(before.pushUrl ?? before.url)]);
    const isMoved = [url, pushUrl ?? url].some((target) => !known.has(originOf(target)));
    const token = input.token === undefined ? (isMoved ? null : before.token) : this.#sealed(input.token);
    const isAboutPushing = ['pushSelection', 'pushFrom', 'autoPush'].some((setting) => setting in given);
    const pushFrom = isAboutPushing
      ? chooseOrigin(after.pushSelection, after.pushFrom, before.pushFrom, this.#origins)
      : before.pushFrom;
    const row = { ...after, url, pushUrl, pushFrom, token };
    requireNarrowAutoPush(row);
    await this.#write((change) => {
      this.#store.update(row, change.now);
      recordChange(change, actor, 'upstream.updated', row, withoutToken(before), withoutToken(row));
    });
    return this.require(id);
  }

  /** Removes an upstream and what is cached of it; returns the SHA-512 of those tarballs. */
  async remove(id: number, actor: Actor): Promise<string[]> {
    const row = this.require(id);
    return this.#write((change) => {
      const contents = this.#store.dropCached(id, undefined);
      this.#store.remove(id);
      recordChange(change, actor, 'upstream.removed', row, withoutToken(row), null);
      return contents;
    });
  }

  /** The upstream that packages of bundles are cached under; created by the first import. */
  async archive(actor: Actor): Promise<UpstreamRow> {
    const present = this.#rows.find((row) => row.kind === 'archive');
    const settings = { name: 'bundles', kind: 'archive', url: '', freshSeconds: 0, budgetMilliseconds: 50 } as const;
    return present ?? this.create(settings, actor);
  }

  setOfflineMode(mode: OfflineMode, actor: Actor): Promise<void> {
    const about = { key: modeKey, text: mode, action: 'offline.changed', name: 'offline', subject: 'offline' } as const;
    return this.#saveSetting(about, actor, { mode: this.offlineMode }, { mode });
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

  #list(list: keyof typeof lists): string[] {
    const text = this.#store.setting(lists[list].key);
    return text === undefined ? [] : (JSON.parse(text) as string[]);
  }

  #setList(list: keyof typeof lists, values: readonly string[], actor: Actor): Promise<void> {
    const { field, ...about } = lists[list];
    const after = [...new Set(values)].toSorted();
    const setting = { ...about, text: JSON.stringify(after), subject: 'settings' } as const;
    return this.#saveSetting(setting, actor, { [field]: this.#list(list) }, { [field]: after });
  }

  #saveSetting(
    setting: { key: string; text: string; action: string; name: string; subject: 'settings' | 'offline' },
    actor: Actor,
    before: unknown,
    after: unknown,
  ): Promise<void> {
    const { key, text, action, name, subject } = setting;
    return this.#unitOfWork.write((change) => {
      this.#store.setSetting(key, text);
      change.record({ actor, action, target: { type: 'setting', id: null, name }, before, after });
      change.emit('upstream.changed', { subject, upstreamId: null });
    });
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

function requireNarrowAutoPush(row: Pick<UpstreamSettings, 'autoPush' | 'pushSelection'>): void {
  if (row.autoPush && (row.pushSelection.length === 0 || row.pushSelection.includes('*'))) {
    throw new GatehouseError(
      'invalid_request',
      'Name the packages or scopes to push automatically; "everything" would send every private package there.',
    );
  }
}

/** The settings that are given. */
function definedOf<T extends UpstreamChange>(input: T): { readonly [K in keyof T]: Exclude<T[K], undefined> } {
  const given = Object.entries(input).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given) as { readonly [K in keyof T]: Exclude<T[K], undefined> };
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
function withoutToken(row: UpstreamSettings): Record<string, unknown> {
  const { token, ...rest } = row;
  return { ...rest, hasToken: token !== null };
}

function recordChange(
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
