import type { UnitOfWork } from '../../accounts/change.ts';
import { parseKeptKeys, parseKeysAnswer } from './key-documents.ts';
import type { ForeignKey } from './key-documents.ts';
import { SingleFlight } from '../../lib/single-flight.ts';
import type { UpstreamClient } from './upstream-client.ts';
import type { UpstreamStore } from '../upstream-store.ts';
import type { Upstreams } from '../upstreams.ts';

const day = 86_400_000;

export interface UpstreamKeysOptions {
  readonly upstreams: Upstreams;
  readonly store: UpstreamStore;
  readonly client: UpstreamClient;
  readonly unitOfWork: UnitOfWork;
  readonly clock: () => number;
}

/**
 * The keys that other registries sign their versions with. Manifests pass with the signatures that they came with, so `npm audit signatures`
 * needs these keys beside ours; they are kept, so that it works without a network too.
 */
export class UpstreamKeys {
  readonly #options: UpstreamKeysOptions;
  readonly #flights = new SingleFlight<readonly ForeignKey[]>();

  constructor(options: UpstreamKeysOptions) {
    this.#options = options;
  }

  /** Keys of all upstreams that are asked for anything; an upstream without keys, or away, adds what is kept of it. */
  async all(): Promise<readonly ForeignKey[]> {
    const asked = this.#options.upstreams.all.filter(
      ({ enabled, kind, scopes }) => enabled && kind !== 'archive' && scopes.length > 0,
    );
    const found = await Promise.all(asked.map(({ id }) => this.#flights.run(String(id), () => this.#of(id))));
    return found.flat();
  }

  async #of(upstreamId: number): Promise<readonly ForeignKey[]> {
    const { store, clock, upstreams } = this.#options;
    const name = `upstream.keys.${upstreamId}`;
    const text = store.setting(name);
    const before = text === undefined ? undefined : parseKeptKeys(text);
    const upstream = upstreams.find(upstreamId);
    if (!upstream || (before && clock() - before.at < day)) return before?.keys ?? [];
    const keys = await this.#ask(upstreamId).catch(() => undefined);
    if (!keys) return before?.keys ?? [];
    const after = JSON.stringify({ at: clock(), keys });
    await this.#options.unitOfWork.write(() => store.setSetting(name, after));
    return keys;
  }

  async #ask(upstreamId: number): Promise<ForeignKey[]> {
    const upstream = this.#options.upstreams.require(upstreamId);
    const { status, value } = await this.#options.client.json(upstream, { url: `${upstream.url}/-/npm/v1/keys` });
    // A registry that signs nothing answers with an error, or with something else.
    return (status === 200 ? parseKeysAnswer(value) : undefined) ?? [];
  }
}
