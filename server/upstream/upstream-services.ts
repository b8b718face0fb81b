import type { OfflineMode } from '../contract/upstream.ts';
import type { Actor, UnitOfWork } from '../accounts/change.ts';
import type { PackageStore } from '../registry/package-store.ts';
import type { TarballKeeper } from '../registry/publish/tarball-keeper.ts';
import type { TarballStore } from '../registry/publish/tarball-port.ts';
import { BundleExporter } from './bundles/bundle-exporter.ts';
import type { BundleKey } from './bundles/bundle-format.ts';
import { BundleImporter } from './bundles/bundle-importer.ts';
import type { ImporterOptions } from './bundles/bundle-importer.ts';
import { Connectivity } from './network/connectivity.ts';
import { Forwarding } from './proxy/forwarding.ts';
import { Outbound } from './network/outbound.ts';
import { PackumentCache } from './proxy/packument-cache.ts';
import { PackumentViews } from './proxy/packument-view.ts';
import { HandOver } from './outbox/hand-over.ts';
import { Outbox } from './outbox/outbox.ts';
import type { OutboxStore } from './outbox/outbox-store.ts';
import { Prefetcher } from './prefetch/prefetcher.ts';
import { SecretBox } from './secret-box.ts';
import { TarballCache } from './proxy/tarball-cache.ts';
import { atMostEvery, later } from './network/timing.ts';
import { UpstreamClient } from './proxy/upstream-client.ts';
import { UpstreamKeys } from './proxy/upstream-keys.ts';
import type { UpstreamStore } from './upstream-store.ts';
import { Upstreams } from './upstreams.ts';

export interface UpstreamOptions {
  readonly store: UpstreamStore;
  readonly outboxStore: OutboxStore;
  readonly packages: PackageStore;
  readonly tarballs: TarballStore;
  readonly keeper: TarballKeeper;
  readonly unitOfWork: UnitOfWork;
  /** 32 bytes that tokens are sealed with. */
  readonly secretKey: Buffer;
  readonly isTopGroup: (path: string) => boolean;
  readonly announce: (subject: 'state' | 'prefetch' | 'outbox', upstreamId: number | null) => void;
  /** Bytes of one fetched tarball. */
  readonly tarballLimit: number;
  /** What bundles need to publish what they hold, and to sign what they take along. */
  readonly bundles: Pick<ImporterOptions, 'publisher' | 'editor' | 'limits' | 'findProject' | 'rootNamespaceOf'> & {
    readonly key: BundleKey;
    readonly source: string;
  };
  readonly clock?: () => number;
  /** Milliseconds for which a missing package is believed to be missing. */
  readonly negativeTime?: number;
}

const memoryForDocuments = 96 * 1024 * 1024;
const memoryForViews = 48 * 1024 * 1024;

/** All that has to do with other registries, as HTTP, the window and the command line use it. */
export class UpstreamServices {
  readonly upstreams: Upstreams;
  readonly connectivity: Connectivity;
  readonly client: UpstreamClient;
  readonly packuments: PackumentCache;
  readonly views: PackumentViews;
  readonly tarballs: TarballCache;
  readonly forwarding: Forwarding;
  readonly keys: UpstreamKeys;
  readonly outbox: Outbox;
  readonly handOver: HandOver;
  readonly exporter: BundleExporter;
  readonly importer: BundleImporter;
  readonly prefetcher: Prefetcher;
  /** Fingerprint of the key that this registry signs bundles with. */
  readonly ownKeyId: string;
  readonly store: UpstreamStore;
  readonly #outbound: Outbound;
  readonly #keeper: TarballKeeper;
  readonly #unitOfWork: UnitOfWork;
  readonly #sendSoon: () => void;
  #background = false;

  constructor(options: UpstreamOptions) {
    const { store, packages, tarballs, keeper, unitOfWork, clock = Date.now } = options;
    const secrets = new SecretBox(options.secretKey);
    this.store = store;
    this.#keeper = keeper;
    this.#unitOfWork = unitOfWork;
    this.upstreams = new Upstreams(store, unitOfWork, secrets);
    this.connectivity = new Connectivity(this.upstreams.offlineMode, {
      clock,
      later,
      probe: (upstreamId) => this.#probe(upstreamId),
      onChange: (upstreamId) => options.announce('state', upstreamId),
      onBack: (upstreamId) => {
        this.packuments.forgetNegatives();
        this.#sendByItself(upstreamId);
      },
    });
    this.#outbound = new Outbound(() => this.connectivity.mode !== 'on');
    this.client = new UpstreamClient(this.#outbound, this.connectivity, secrets);
    this.packuments = new PackumentCache({
      store,
      client: this.client,
      unitOfWork,
      clock,
      negativeTime: options.negativeTime ?? 60_000,
      memory: memoryForDocuments,
      onTarballsDropped: (contents) => keeper.dropUnused(contents),
    });
    this.views = new PackumentViews(memoryForViews, clock);
    this.tarballs = new TarballCache({
      store,
      packages,
      tarballs,
      keeper,
      client: this.client,
      unitOfWork,
      clock,
      limit: options.tarballLimit,
    });
    this.forwarding = new Forwarding({
      upstreams: this.upstreams,
      store,
      packages,
      packuments: this.packuments,
      tarballs: this.tarballs,
      isTopGroup: options.isTopGroup,
      clock,
    });
    this.keys = new UpstreamKeys({ upstreams: this.upstreams, store, client: this.client, unitOfWork, clock });
    this.outbox = new Outbox({
      store: options.outboxStore,
      upstreams: this.upstreams,
      client: this.client,
      connectivity: this.connectivity,
      packages,
      tarballs,
      unitOfWork,
      clock,
      later,
      onProgress: (upstreamId) => options.announce('outbox', upstreamId),
    });
    this.handOver = new HandOver({
      store,
      outboxStore: options.outboxStore,
      packages,
      packuments: this.packuments,
      forwarding: this.forwarding,
      upstreams: this.upstreams,
      unitOfWork,
      clock,
    });
    this.#sendSoon = atMostEvery(1_000, () => {
      for (const { id, autoPush } of this.upstreams.all) if (autoPush) this.#sendByItself(id);
    });
    const { key, source, ...publishing } = options.bundles;
    this.ownKeyId = key.keyId;
    this.exporter = new BundleExporter({
      packages,
      tarballs,
      store,
      forwarding: this.forwarding,
      packuments: this.packuments,
      localNames: () => store.localNames(),
      key,
      source,
      clock,
    });
    this.importer = new BundleImporter({
      ...publishing,
      packages,
      tarballs,
      keeper,
      store,
      upstreams: this.upstreams,
      packuments: this.packuments,
      unitOfWork,
      ownKeyId: key.keyId,
      trustedKeys: () => this.upstreams.trustedKeys,
      clock,
    });
    this.prefetcher = new Prefetcher({
      forwarding: this.forwarding,
      packages,
      store,
      clock,
      onProgress: atMostEvery(200, () => options.announce('prefetch', null)),
    });
  }

  /** Turns the switch; with `on` even the requests under way are cut. */
  async setOfflineMode(mode: OfflineMode, actor: Actor): Promise<void> {
    await this.upstreams.setOfflineMode(mode, actor);
    const wasOn = this.connectivity.mode === 'on';
    this.connectivity.mode = mode;
    if (mode === 'on') this.#outbound.abortAll();
    // Coming back is the moment at which what waited is sent.
    else if (wasOn) for (const { id } of this.upstreams.all) this.#sendByItself(id);
  }

  /** Whether requests leave now. */
  get isOnline(): boolean {
    if (this.connectivity.mode === 'on') return false;
    const askable = this.upstreams.all.filter((upstream) => upstream.enabled && upstream.kind !== 'archive');
    return (
      this.connectivity.mode === 'off' ||
      askable.length === 0 ||
      askable.some((upstream) => this.connectivity.stateOf(upstream.id).status !== 'away')
    );
  }

  /** Takes up what was under way when the server ended, and sends from now on what is to go by itself. */
  startInBackground(): void {
    this.#background = true;
    this.outbox.resume();
    for (const { id } of this.upstreams.all) this.#sendByItself(id);
  }

  /** A package was changed here: something may have to go somewhere. */
  noteChange(): void {
    this.#sendSoon();
  }

  /** Another state of the data folder took the place of this one. */
  reload(): void {
    this.upstreams.reload();
    this.packuments.forgetNegatives();
    this.packuments.forgetDocuments();
    this.connectivity.mode = this.upstreams.offlineMode;
  }

  async removeUpstream(id: number, actor: Actor): Promise<void> {
    await this.outbox.stop(id);
    const contents = await this.upstreams.remove(id, actor);
    this.connectivity.forget(id);
    this.#keeper.dropUnused(contents);
  }

  /** Drops one package, or all of an upstream, from the cache. */
  async dropCached(id: number, name: string | undefined, actor: Actor): Promise<void> {
    const upstream = this.upstreams.require(id);
    const contents = await this.#unitOfWork.write((change) => {
      const dropped = this.store.dropCached(id, name);
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
    this.#keeper.dropUnused(contents);
  }

  /** Ends every request and every timer. */
  close(): void {
    this.#background = false;
    this.outbox.close();
    this.prefetcher.close();
    this.connectivity.close();
    this.#outbound.close();
  }

  #sendByItself(upstreamId: number): void {
    if (!this.#background) return;
    // What goes wrong is noted with the change that it happened to.
    void this.outbox.sendByItself(upstreamId).catch(() => undefined);
  }

  async #probe(upstreamId: number): Promise<void> {
    const upstream = this.upstreams.find(upstreamId);
    if (!upstream || upstream.kind === 'archive') return;
    // Any answer shows that somebody is there; GitLab has no ping.
    const answer = await this.client.sendAnyway(upstream, { url: `${upstream.url}/-/ping`, timeout: 10_000 });
    answer.body.destroy();
  }
}
