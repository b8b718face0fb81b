import type { Actor } from '../accounts/change.ts';
import type { OfflineMode, PrefetchJob } from '../contract/upstream.ts';
import { schedule, throttle } from '../lib/timers.ts';
import { BundleExporter } from './bundles/bundle-exporter.ts';
import type { BundleKey } from './bundles/bundle-format.ts';
import { BundleImporter } from './bundles/bundle-importer.ts';
import type { ImporterOptions } from './bundles/bundle-importer.ts';
import { Connectivity } from './network/connectivity.ts';
import { Outbound } from './network/outbound.ts';
import { HandOver } from './outbox/hand-over.ts';
import type { OriginFacts } from './outbox/origins.ts';
import type { OutboxStore } from './outbox/outbox-store.ts';
import { Outbox } from './outbox/outbox.ts';
import { PushedCopies } from './outbox/pushed-copies.ts';
import { Prefetcher } from './prefetch/prefetcher.ts';
import { Forwarding } from './proxy/forwarding.ts';
import { PackumentCache } from './proxy/packument-cache.ts';
import { PackumentViews } from './proxy/packument-views.ts';
import { TarballCache } from './proxy/tarball-cache.ts';
import { UpstreamClient } from './proxy/upstream-client.ts';
import { type ForeignKey, UpstreamKeys } from './proxy/upstream-keys.ts';
import type { PublishedKey } from '../registry/publish/manifest-signer.ts';
import { SecretBox } from './secret-box.ts';
import type { UpstreamContext } from './upstream-context.ts';
import type { UpstreamRow, UpstreamStore } from './upstream-store.ts';
import { Upstreams } from './upstreams.ts';
import type { UpstreamChange } from './upstreams.ts';

export interface UpstreamOptions extends Omit<UpstreamContext, 'clock'> {
  readonly outboxStore: OutboxStore;
  /** 32 bytes that encrypt tokens. */
  readonly secretKey: Buffer;
  readonly origins: OriginFacts;
  readonly announce: (subject: 'state' | 'prefetch' | 'outbox', upstreamId: number | null) => void;
  /** Bytes of one fetched tarball. */
  readonly tarballLimit: number;
  /** What bundles need to publish and to sign. */
  readonly bundles: Pick<ImporterOptions, 'publisher' | 'editor' | 'limits' | 'findProject'> & {
    readonly key: BundleKey;
    readonly source: string;
    readonly dataFolder: string;
  };
  readonly clock?: () => number;
  /** Milliseconds for which a missing package counts as missing. */
  readonly negativeTime?: number;
}

/** Everything about other registries, as HTTP, the window and the command line use it. */
export class UpstreamServices {
  readonly upstreams: Upstreams;
  readonly connectivity: Connectivity;
  readonly client: UpstreamClient;
  readonly packuments: PackumentCache;
  readonly views: PackumentViews;
  readonly forwarding: Forwarding;
  readonly keys: UpstreamKeys;
  readonly outbox: Outbox;
  readonly pushedCopies: PushedCopies;
  readonly handOver: HandOver;
  readonly prefetcher: Prefetcher;
  readonly exporter: BundleExporter;
  readonly importer: BundleImporter;
  /** Fingerprint of the key that this registry signs bundles with. */
  readonly ownKeyId: string;
  readonly store: UpstreamStore;
  readonly #context: UpstreamContext;
  readonly #outbound: Outbound;
  /** Starts the automatic pushes, soon. */
  readonly #autoPushSoon: () => void;
  #background = false;

  constructor(options: UpstreamOptions) {
    const { clock = Date.now, negativeTime = 60_000, bundles, announce, ...given } = options;
    const context = { ...given, clock };
    const secrets = new SecretBox(options.secretKey);
    const upstreams = new Upstreams(options.store, options.unitOfWork, secrets, options.origins);
    this.#context = context;
    this.store = options.store;
    this.upstreams = upstreams;
    this.connectivity = new Connectivity(upstreams.offlineMode, {
      clock,
      schedule,
      probe: (upstreamId) => this.#probe(upstreamId),
      onChange: (upstreamId) => announce('state', upstreamId),
      onBack: (upstreamId) => {
        this.packuments.forgetNegatives();
        this.#continuePush(upstreamId);
      },
    });
    this.#outbound = new Outbound(() => this.connectivity.mode !== 'on');
    this.client = new UpstreamClient(this.#outbound, this.connectivity, secrets);
    const { client, connectivity } = this;
    const packumentCache = new PackumentCache({ ...context, client, negativeTime });
    const tarballCache = new TarballCache({ ...context, client });
    const forwarding = new Forwarding({ ...context, upstreams, packumentCache, tarballCache });
    this.packuments = packumentCache;
    this.views = new PackumentViews(context);
    this.forwarding = forwarding;
    this.keys = new UpstreamKeys({ ...context, upstreams, client });
    const onProgress = (upstreamId: number): void => announce('outbox', upstreamId);
    this.outbox = new Outbox({ ...context, upstreams, client, connectivity, forwarding, onProgress });
    this.pushedCopies = new PushedCopies({ ...context, upstreams, client });
    this.handOver = new HandOver({ ...context, packumentCache, forwarding, upstreams });
    this.prefetcher = new Prefetcher({
      ...context,
      forwarding,
      onProgress: throttle(200, () => announce('prefetch', null)),
    });
    this.#autoPushSoon = throttle(1_000, () => {
      for (const { id, autoPush } of upstreams.all) if (autoPush) this.#continuePush(id);
    });
    const { key, source, dataFolder, ...publishing } = bundles;
    const ownKeyId = key.keyId;
    this.ownKeyId = ownKeyId;
    this.exporter = new BundleExporter({ ...context, forwarding, packumentCache, key, source, dataFolder });
    this.importer = new BundleImporter({ ...context, ...publishing, upstreams, packumentCache, ownKeyId });
  }

  /** Turns the offline switch; with `on` even the requests under way are cut. */
  async setOfflineMode(mode: OfflineMode, actor: Actor): Promise<void> {
    await this.upstreams.setOfflineMode(mode, actor);
    const wasOn = this.connectivity.mode === 'on';
    this.connectivity.mode = mode;
    if (mode === 'on') this.#outbound.abortAll();
    else if (wasOn) for (const { id } of this.upstreams.all) this.#continuePush(id);
  }

  /** Whether requests leave now. */
  get isOnline(): boolean {
    if (this.connectivity.mode === 'on') return false;
    const remote = this.upstreams.all.filter((upstream) => upstream.enabled && upstream.kind !== 'archive');
    return (
      this.connectivity.mode === 'off' ||
      remote.length === 0 ||
      remote.some((upstream) => this.connectivity.stateOf(upstream.id).status !== 'away')
    );
  }

  /** The keys whose signatures clients may trust: ours, and those of the registries that packages are fetched from. */
  async trustedKeys(own: readonly PublishedKey[]): Promise<(PublishedKey | ForeignKey)[]> {
    return [...own, ...(this.forwarding.isOn ? await this.keys.all() : [])];
  }

  /** Resumes the pushes that the last server did not finish, and starts the automatic ones. */
  startInBackground(): void {
    this.#background = true;
    this.outbox.resume();
    for (const { id } of this.upstreams.all) this.#continuePush(id);
  }

  /** A package was changed here, which an automatic push may have to send. */
  noteChange(): void {
    this.#autoPushSoon();
  }

  /** Reads everything again: the data folder was rewound to another state. */
  reload(): void {
    this.upstreams.reload();
    this.packuments.forgetNegatives();
    this.packuments.forgetDocuments();
    this.connectivity.mode = this.upstreams.offlineMode;
  }

  /** Changes the settings of an upstream. What was out of reach before is tried again at once. */
  async updateUpstream(id: number, input: UpstreamChange, actor: Actor): Promise<UpstreamRow> {
    const row = await this.upstreams.update(id, input, actor);
    this.connectivity.forget(id);
    this.packuments.forgetNegatives();
    this.#continuePush(id);
    return row;
  }

  /** Removes an upstream with everything that is cached of it. */
  async removeUpstream(id: number, actor: Actor): Promise<void> {
    await this.outbox.stop(id);
    const contents = await this.upstreams.remove(id, actor);
    this.connectivity.forget(id);
    this.#context.collector.deleteUnused(contents);
  }

  /** Drops one package, or all of an upstream, from the cache. */
  async dropCached(id: number, name: string | undefined, actor: Actor): Promise<void> {
    const upstream = this.upstreams.require(id);
    const { unitOfWork, store, collector } = this.#context;
    const contents = await unitOfWork.write((change) => {
      const dropped = store.dropCached(id, name);
      change.record({
        actor,
        action: 'upstream.cache_dropped',
        target: { type: 'upstream', id, name: name === undefined ? upstream.name : `${upstream.name}: ${name}` },
        before: { tarballs: dropped.length },
      });
      change.emit('upstream.changed', { subject: 'cache', upstreamId: id });
      return dropped;
    });
    this.packuments.forgetNegatives();
    collector.deleteUnused(contents);
  }

  /** Tries a prefetch again: see the contract. Upstreams that were away, or had no such package, are asked at once. */
  async retryPrefetch(jobId: number): Promise<PrefetchJob> {
    await Promise.all(this.upstreams.all.map(({ id }) => this.connectivity.retry(id)));
    this.packuments.forgetNegatives();
    return this.prefetcher.retry(jobId);
  }

  /** Ends every request and every timer. */
  close(): void {
    this.#background = false;
    this.outbox.close();
    this.pushedCopies.close();
    this.prefetcher.close();
    this.connectivity.close();
    this.#outbound.close();
  }

  #continuePush(upstreamId: number): void {
    if (!this.#background) return;
    // Failures are recorded with the change that they happened to.
    void this.outbox.continueOrAutoPush(upstreamId).catch(() => undefined);
  }

  async #probe(upstreamId: number): Promise<void> {
    const upstream = this.upstreams.find(upstreamId);
    if (!upstream || upstream.kind === 'archive') return;
    // Any response will do; GitLab has no ping.
    const response = await this.client.sendAnyway(upstream, { url: `${upstream.url}/-/ping` });
    response.body.destroy();
  }
}
