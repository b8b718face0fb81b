import { z } from 'zod';
import { onOwnBehalf } from '../../accounts/access/standing.ts';
import { SingleFlight } from '../../lib/single-flight.ts';
import type { UpstreamClient } from './upstream-client.ts';
import type { UpstreamContext } from '../upstream-context.ts';
import type { UpstreamRow } from '../upstream-store.ts';
import type { Upstreams } from '../upstreams.ts';
import { dayLength } from '../../lib/calendar.ts';

const foreignKey = z.looseObject({
  keyid: z.string().max(200),
  keytype: z.string().max(100),
  scheme: z.string().max(100),
  key: z.string().max(4096),
  expires: z.string().max(100).nullable(),
});
/** A key that another registry signs its versions with. */
export type ForeignKey = z.infer<typeof foreignKey>;
const response = z.object({ keys: z.array(foreignKey).max(100) });
const cachedKeys = z.object({ at: z.number(), keys: z.array(foreignKey) });

export interface UpstreamKeysOptions extends UpstreamContext {
  readonly upstreams: Upstreams;
  readonly client: UpstreamClient;
}

/**
 * The keys that other registries sign their versions with. Manifests pass with the signatures that they came with, so `npm audit signatures`
 * needs these keys beside ours; they are cached, so that it works without a network too.
 */
export class UpstreamKeys {
  readonly #options: UpstreamKeysOptions;
  readonly #flights = new SingleFlight<readonly ForeignKey[]>();

  constructor(options: UpstreamKeysOptions) {
    this.#options = options;
  }

  /** Keys of all upstreams that packages are fetched from; for one without keys, or out of reach, what is cached. */
  async all(): Promise<readonly ForeignKey[]> {
    const used = this.#options.upstreams.all.filter(
      ({ enabled, kind, scopes }) => enabled && kind !== 'archive' && scopes.length > 0,
    );
    const found = await Promise.all(
      used.map((upstream) => onOwnBehalf(() => this.#flights.run(String(upstream.id), () => this.#of(upstream)))),
    );
    return found.flat();
  }

  async #of(upstream: UpstreamRow): Promise<readonly ForeignKey[]> {
    const { store, clock, unitOfWork } = this.#options;
    const setting = `upstream.keys.${upstream.id}`;
    const text = store.setting(setting);
    const cached = text === undefined ? undefined : cachedKeys.safeParse(JSON.parse(text)).data;
    if (cached && clock() - cached.at < dayLength) return cached.keys;
    const keys = await this.#fetch(upstream).catch(() => undefined);
    if (!keys) return cached?.keys ?? [];
    await unitOfWork.write(() => store.setSetting(setting, JSON.stringify({ at: clock(), keys })));
    return keys;
  }

  async #fetch(upstream: UpstreamRow): Promise<ForeignKey[]> {
    const { status, value } = await this.#options.client.json(upstream, { url: `${upstream.url}/-/npm/v1/keys` });
    // A registry that signs nothing answers with an error, or with another document.
    return (status === 200 ? response.safeParse(value).data?.keys : undefined) ?? [];
  }
}
