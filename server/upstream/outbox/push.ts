import { GatehouseError } from '../../contract/errors.ts';
import type { UnitOfWork } from '../../accounts/change.ts';
import type { PackageStore, VersionRow } from '../../registry/package-store.ts';
import type { TarballStore } from '../../registry/publish/tarball-port.ts';
import type { Connectivity } from '../network/connectivity.ts';
import { sameIntegrity } from '../../lib/integrity.ts';
import { OutboundError } from '../network/outbound-error.ts';
import type { UpstreamRow } from '../upstream-store.ts';
import { decideChange } from './decide.ts';
import type { Decision, LocalFacts, RemotePackage } from './decide.ts';
import type { OutboxChange, OutboxItem, OutboxRun, OutboxStore } from './outbox-store.ts';
import type { Peer } from './peer.ts';
import { publishBody } from './publish-body.ts';

export interface PushOptions {
  readonly run: OutboxRun;
  readonly upstream: UpstreamRow;
  readonly peer: Peer;
  readonly store: OutboxStore;
  readonly connectivity: Connectivity;
  readonly unitOfWork: UnitOfWork;
  readonly packages: PackageStore;
  readonly tarballs: TarballStore;
  readonly clock: () => number;
  readonly later: (milliseconds: number, work: () => void) => () => void;
  readonly localFacts: (change: OutboxChange) => LocalFacts;
  readonly versionHere: (change: OutboxChange) => VersionRow | undefined;
  readonly onProgress: () => void;
}

/** Answers in a row that make a change fail, where the upstream answers but badly; one that can't be reached is waited for. */
const patience = 5;
const firstPause = 2_000;
const longestPause = 300_000;
/** How often, and with which pauses in milliseconds, a publish is looked for: GitLab may take it in first and check it later. */
const looks = [0, 250, 500, 1_000, 2_000, 4_000, 8_000];
/** Goes with a version whose own tags mean something else upstream; a registry wants at least one. */
const neutralTag = 'offline';

/**
 * One push on its way. Each change is compared with the upstream right before it is done, so one that arrived although its answer was lost
 * (a crash, a cut connection) is recognised and never done twice. A change that stops holds back later ones of its package, not of others.
 */
export class Push {
  /** What is being done, for people. */
  current: string | null = null;
  currentChange: number | null = null;
  /** When it goes on, if it waits for the upstream. */
  retryAt: number | null = null;
  /** `abandoned` leaves the run as it is, to be taken up by the next start. */
  readonly ended: Promise<'finished' | 'abandoned'>;
  readonly #options: PushOptions;
  readonly #stopping = new AbortController();
  #abandoned = false;
  #justRead: { readonly name: string; readonly remote: RemotePackage } | undefined;
  #wake: (() => void) | undefined;

  constructor(options: PushOptions) {
    this.#options = options;
    this.ended = this.#run().then(
      () => (this.#abandoned ? 'abandoned' : 'finished'),
      () => 'abandoned',
    );
  }

  /** Ends after what is being done now. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#wake?.();
    await this.ended;
  }

  /** The server ends: nothing more is written. */
  abandon(): void {
    this.#abandoned = true;
    this.#stopping.abort();
    this.#wake?.();
  }

  /** The upstream is back: no reason to wait longer. */
  goOn(): void {
    this.#wake?.();
  }

  async #run(): Promise<void> {
    const blocked = new Set<string>();
    let pauses = 0;
    const waiting = [...this.#options.run.changes];
    while (waiting.length > 0 && !this.#stopping.signal.aborted) {
      const change = this.#options.store.change(waiting[0] ?? 0);
      const item = change && this.#options.store.item(this.#options.upstream.id, change.id);
      if (!change || !item || item.state === 'done' || item.state === 'skipped') {
        waiting.shift();
        continue;
      }
      if (item.state === 'conflict' || item.state === 'failed') blocked.add(change.name);
      if (blocked.has(change.name)) {
        waiting.shift();
        continue;
      }
      this.current = labelOf(change);
      this.currentChange = change.id;
      const outcome = await this.#attempt(change, item);
      this.current = null;
      this.currentChange = null;
      if (outcome === 'later') {
        pauses += 1;
        await this.#pause(pauses);
        continue;
      }
      pauses = 0;
      if (outcome === 'stopped') blocked.add(change.name);
      waiting.shift();
      this.#options.onProgress();
    }
  }

  async #attempt(change: OutboxChange, item: OutboxItem): Promise<'done' | 'stopped' | 'later'> {
    try {
      const { decision, remote } = await this.#decide(change, item);
      if (decision.verdict === 'conflict') {
        const { here, there, explanation } = decision;
        await this.#note({ ...item, state: 'conflict', here, there, error: explanation });
        return 'stopped';
      }
      if (decision.verdict === 'new') await this.#carryOut(change, remote);
      await this.#note({ ...item, state: 'done', here: decision.here, there: decision.there, error: null });
      return 'done';
    } catch (error) {
      if (this.#abandoned) return 'later';
      return this.#explainFailure(item, error);
    }
  }

  async #decide(change: OutboxChange, item: OutboxItem): Promise<{ decision: Decision; remote: RemotePackage }> {
    const local = this.#options.localFacts(change);
    const remote = await this.#read(change.name);
    // Forced means: whatever a tag points at there counts as ours.
    const decision = decideChange(change, remote, item.forced ? { ...local, isOurs: () => true } : local);
    return { decision, remote };
  }

  /** A package as it stands there. What was read to verify the change before serves the one after it, once. */
  async #read(name: string): Promise<RemotePackage> {
    const known = this.#justRead;
    this.#justRead = undefined;
    return known?.name === name ? known.remote : this.#options.peer.read(name);
  }

  async #carryOut(change: OutboxChange, remote: RemotePackage): Promise<void> {
    const { peer } = this.#options;
    const version = change.version ?? '';
    switch (change.kind) {
      case 'publish':
        return this.#publish(change, remote);
      case 'tag.set':
        return peer.setTag(change.name, change.tag ?? '', version);
      case 'tag.remove':
        return peer.removeTag(change.name, change.tag ?? '');
      case 'deprecate':
        return peer.deprecate(change.name, version, change.value ?? '');
      case 'unpublish':
        return peer.unpublish(change.name, version);
    }
  }

  async #publish(change: OutboxChange, remote: RemotePackage): Promise<void> {
    const { peer, packages, tarballs } = this.#options;
    const row = this.#options.versionHere(change);
    if (!row) return;
    const body = publishBody({
      name: change.name,
      row,
      tags: this.#tagsFor(change, remote),
      readme: packages.readmeOf(row.id)?.text ?? null,
      base: peer.base,
      openTarball: () => tarballs.open(row.tarballSha512),
    });
    await peer.publish(change.name, body);
    await this.#seeItThere(change);
  }

  /** Tags that go along with a version: its own that follow in this push, unless they mean somebody else's version upstream. */
  #tagsFor(change: OutboxChange, remote: RemotePackage): string[] {
    const { store, run, localFacts } = this.#options;
    const { isOurs } = localFacts(change);
    const own = run.changes.flatMap((id) => {
      const other = store.change(id);
      const fits = other?.kind === 'tag.set' && other.name === change.name && other.version === change.version;
      return fits && other.tag !== null ? [other.tag] : [];
    });
    const free = own.filter((tag) => {
      const there = remote.tags.get(tag);
      return there === undefined || isOurs(there);
    });
    return free.length > 0 ? free : [neutralTag];
  }

  /** Makes sure that what was taken in is there with the same bytes. */
  async #seeItThere(change: OutboxChange): Promise<void> {
    const expected = this.#options.localFacts(change).integrity ?? '';
    for (const pause of looks) {
      await this.#sleep(pause);
      const remote = await this.#options.peer.read(change.name);
      const present = remote.versions.get(change.version ?? '');
      if (!present) continue;
      if (sameIntegrity(expected, present.integrity) !== false) {
        this.#justRead = { name: change.name, remote };
        return;
      }
      throw new GatehouseError(
        'upstream_invalid',
        `${labelOf(change)} arrived with other bytes: ${expected.split(' ')[0]} here, ${present.integrity} there.`,
      );
    }
    throw new GatehouseError(
      'unprocessable',
      `${this.#options.upstream.name} took ${labelOf(change)} in, but does not show it. Look at the package there, then try again.`,
    );
  }

  async #explainFailure(item: OutboxItem, error: unknown): Promise<'stopped' | 'later'> {
    const message = error instanceof Error ? error.message : String(error);
    const attempts = item.attempts + 1;
    if (error instanceof OutboundError && (error.failure === 'offline' || error.isTheirs)) {
      const answersBadly = error.failure === 'status' && error.status !== 429;
      if (!answersBadly || attempts < patience) {
        await this.#note({ ...item, state: 'waiting', attempts, error: message });
        return 'later';
      }
    }
    await this.#note({ ...item, state: 'failed', attempts, error: message });
    return 'stopped';
  }

  /** Waits until the upstream may be asked again, or until somebody knows that it is back. */
  async #pause(pauses: number): Promise<void> {
    const { connectivity, upstream, clock, onProgress } = this.#options;
    const permission = connectivity.mayAsk(upstream.id);
    const backoff = Math.min(firstPause * 2 ** Math.min(pauses - 1, 10), longestPause);
    const until = permission.allowed ? clock() + backoff : (permission.retryAt ?? Number.POSITIVE_INFINITY);
    this.retryAt = Number.isFinite(until) ? until : null;
    onProgress();
    await this.#sleep(Number.isFinite(until) ? Math.max(0, until - clock()) : longestPause * 1000);
    this.retryAt = null;
  }

  #sleep(milliseconds: number): Promise<void> {
    if (milliseconds === 0 || this.#stopping.signal.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      const proceed = (): void => {
        this.#wake = undefined;
        callOff();
        resolve();
      };
      const callOff = this.#options.later(Math.min(milliseconds, 2 ** 31 - 1), proceed);
      this.#wake = proceed;
    });
  }

  async #note(item: OutboxItem): Promise<void> {
    if (this.#abandoned) throw new Error('The server ends.');
    const { store, unitOfWork } = this.#options;
    await unitOfWork.write(({ now }) => store.putItem(item, now));
  }
}

function labelOf({ kind, name, version, tag }: OutboxChange): string {
  return kind === 'tag.set' || kind === 'tag.remove' ? `${name} "${tag}"` : `${name}@${version}`;
}
