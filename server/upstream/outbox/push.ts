import { GatehouseError } from '../../contract/errors.ts';
import { sameIntegrity } from '../../lib/integrity.ts';
import { schedule } from '../../lib/timers.ts';
import { OutboundError } from '../network/outbound-error.ts';
import { isCarried, localFactsOf, packageOf, versionOf } from './operations.ts';
import type { OutboxContext } from './operations.ts';
import type { OutboxChange, OutboxItem, OutboxRun } from './outbox-store.ts';
import { Peer } from './peer.ts';
import { compareChange } from './plan.ts';
import type { Comparison, LocalFacts, RemotePackage } from './plan.ts';
import { publishBody } from './publish-body.ts';

export interface PushOptions extends OutboxContext {
  readonly run: OutboxRun;
  readonly onProgress: () => void;
}

/** Error responses in a row that fail a change; an upstream that is out of reach is waited for. */
const mostAttempts = 5;
const firstPause = 2_000;
const longestPause = 300_000;
const longestTimer = 2 ** 31 - 1;
/** Milliseconds before each check for a new publish: GitLab may accept a version first and process it later. */
const checkPauses = [0, 250, 500, 1_000, 2_000, 4_000, 8_000];
/** Sent with a version that goes up without a tag of its own, where a registry requires one, and removed there right after. */
const temporaryTag = 'gatehouse-temporary';

/**
 * One run of a push. Each change is compared with the upstream right before it is pushed, so one that arrived although its response was
 * lost (a crash, a cut connection) is recognised and never pushed twice. A change that stops holds back only the next ones of its package.
 */
export class Push {
  /** The change that is being pushed. */
  current: { readonly changeId: number; readonly label: string } | null = null;
  /** Whether it waits for the upstream, or for the offline switch. */
  isWaiting = false;
  /** When it continues, while it waits for the upstream. */
  retryAt: number | null = null;
  /** Changes that arrived; the tags that went along with a version, and what was there already, are among them. */
  arrived = 0;
  /** Whether it changed anything there. */
  hasSent = false;
  /** Changes that conflict or failed. */
  notSent = 0;
  /** `abandoned` leaves the run as it is, for the next start of the server. */
  readonly ended: Promise<'finished' | 'abandoned'>;
  readonly #options: PushOptions;
  readonly #upstreamId: number;
  #stopping = false;
  #abandoned = false;
  #justRead: { readonly name: string; readonly remote: RemotePackage } | undefined;
  #wake: (() => void) | undefined;

  constructor(options: PushOptions) {
    this.#options = options;
    this.#upstreamId = options.run.upstreamId;
    this.ended = this.#run().then(
      () => (this.#abandoned ? 'abandoned' : 'finished'),
      () => 'abandoned',
    );
  }

  /** Ends after the current change. */
  async stop(): Promise<void> {
    this.#stopping = true;
    this.#wake?.();
    await this.ended;
  }

  /** The server ends: nothing more is written. */
  abandon(): void {
    this.#abandoned = true;
    this.#stopping = true;
    this.#wake?.();
  }

  /** Ends the wait for the upstream. */
  wake(): void {
    this.#wake?.();
  }

  /** Made for each use, so that a changed token or address counts at once. */
  get #peer(): Peer {
    return new Peer(this.#options.client, this.#options.upstreams.require(this.#upstreamId));
  }

  async #run(): Promise<void> {
    const { run, outboxStore, onProgress } = this.#options;
    const blocked = new Set<string>();
    let pauses = 0;
    const remaining = [...run.changes];
    while (remaining.length > 0 && !this.#stopping) {
      const change = outboxStore.change(remaining[0] ?? 0);
      const item = change && outboxStore.item(this.#upstreamId, change.id);
      if (change && (item?.state === 'conflict' || item?.state === 'failed')) blocked.add(packageOf(change));
      if (!change || item?.state !== 'waiting' || blocked.has(packageOf(change)) || !this.#isCarried(change)) {
        remaining.shift();
        continue;
      }
      this.current = { changeId: change.id, label: labelOf(change) };
      const outcome = await this.#attempt(change, item);
      this.current = null;
      if (outcome === 'wait') {
        pauses += 1;
        await this.#pause(pauses);
        continue;
      }
      pauses = 0;
      if (outcome === 'stopped') {
        this.notSent += 1;
        blocked.add(packageOf(change));
      }
      remaining.shift();
      onProgress();
    }
  }

  async #attempt(change: OutboxChange, item: OutboxItem): Promise<'done' | 'stopped' | 'wait'> {
    try {
      const remote = await this.#read(change.name);
      const { verdict, here, there, explanation } = this.#compare(change, item, remote);
      if (verdict === 'conflict') {
        await this.#save({ ...item, state: 'conflict', here, there, error: explanation });
        return 'stopped';
      }
      const isSent = verdict === 'new' && (await this.#carryOut(change, item, remote));
      // Also of a version that arrived with an earlier attempt.
      if (change.kind === 'publish') await this.#removeTemporaryTag(change, this.#justRead?.remote ?? remote);
      const isGone = change.kind === 'publish' && here === null;
      const state = isGone ? 'skipped' : 'done';
      const sent = isSent || item.sent;
      await this.#save({ ...item, state, sent, here, there, error: isGone ? explanation : null });
      this.arrived += 1;
      this.hasSent ||= verdict === 'new';
      return 'done';
    } catch (error) {
      if (this.#abandoned) return 'wait';
      return this.#saveFailure(this.#options.outboxStore.item(this.#upstreamId, change.id) ?? item, error);
    }
  }

  /** Decided again right before each change: settings, groups and projects may have changed since the push began. */
  #isCarried(change: OutboxChange): boolean {
    return isCarried(this.#options, this.#options.upstreams.require(this.#upstreamId), change);
  }

  #facts(change: OutboxChange): LocalFacts {
    return localFactsOf(this.#options, this.#upstreamId, change);
  }

  #compare(change: OutboxChange, item: OutboxItem, remote: RemotePackage): Comparison {
    const local = this.#facts(change);
    // Forced: what a tag points at there, and what is deprecated, counts as ours.
    return compareChange(change, remote, item.forced ? { ...local, isOurs: () => true } : local);
  }

  /** The state of a package there. The packument that verified the last publish is used once more, for the next change. */
  async #read(name: string): Promise<RemotePackage> {
    const known = this.#justRead;
    this.#justRead = undefined;
    return known?.name === name ? known.remote : this.#peer.read(name);
  }

  /** Returns whether a version was published. */
  async #carryOut(change: OutboxChange, item: OutboxItem, remote: RemotePackage): Promise<boolean> {
    const peer = this.#peer;
    const { name, kind } = change;
    const version = change.version ?? '';
    switch (kind) {
      case 'publish':
        return this.#publish(change, item, remote);
      case 'tag.set':
        await peer.setTag(name, change.tag ?? '', version);
        return false;
      case 'tag.remove':
        await peer.removeTag(name, change.tag ?? '');
        return false;
      case 'deprecate':
        await peer.deprecate(name, version, change.value ?? '');
        return false;
      case 'unpublish':
        await peer.unpublish(name, version);
        return false;
    }
  }

  /** Returns whether the version there was sent by this attempt. */
  async #publish(change: OutboxChange, item: OutboxItem, remote: RemotePackage): Promise<boolean> {
    const { packages, tarballs } = this.#options;
    const peer = this.#peer;
    const row = versionOf(this.#options, change);
    if (!row) return false;
    const body = publishBody({
      name: change.name,
      row,
      tags: this.#tagsFor(change, remote, this.#facts(change)),
      readme: packages.readmeOf(row.id)?.text ?? null,
      base: peer.base,
      openTarball: () => tarballs.open(row.tarballSha512),
    });
    // Saved before: if the answer is lost, the version there is known to be ours.
    await this.#save({ ...item, sent: true });
    try {
      await peer.publish(change.name, body);
    } catch (error) {
      // What waits for approval there was sent, and will be there one day.
      if (!(error instanceof GatehouseError) || error.code === 'tag_guarded') throw error;
      // A registry that refuses because it has these very bytes has all that was to be sent.
      await this.#save(item);
      if (await this.#hasSameBytes(change)) return false;
      throw error;
    }
    await this.#verifyPublished(change);
    return true;
  }

  async #hasSameBytes(change: OutboxChange): Promise<boolean> {
    const remote = await this.#peer.read(change.name);
    const present = remote.versions.get(change.version ?? '');
    if (!present || sameIntegrity(this.#facts(change).integrity ?? '', present.integrity) !== true) return false;
    this.#justRead = { name: change.name, remote };
    return true;
  }

  /** Tags that go along with a version: its own that follow in this run, unless they belong to others upstream. */
  #tagsFor({ projectId, name, version }: OutboxChange, remote: RemotePackage, { isOurs }: LocalFacts): string[] {
    const { outboxStore, run, upstreams } = this.#options;
    const following = run.changes.flatMap((id) => {
      const other = outboxStore.change(id);
      if (other?.kind !== 'tag.set' || other.projectId !== projectId || other.name !== name) return [];
      if (other.tag === null) return [];
      const there = remote.tags.get(other.tag);
      return there === undefined || isOurs(there) ? [{ tag: other.tag, version: other.version }] : [];
    });
    const own = following.filter((other) => other.version === version);
    if (own.length > 0) return own.map(({ tag }) => tag);
    // The first version of a package is its latest at any registry; the run moves it on.
    if (!remote.tags.has('latest') && following.some(({ tag }) => tag === 'latest')) return ['latest'];
    return upstreams.require(this.#upstreamId).kind === 'gatehouse' ? [] : [temporaryTag];
  }

  async #removeTemporaryTag({ name, version }: OutboxChange, { tags }: RemotePackage): Promise<void> {
    if (tags.get(temporaryTag) !== version) return;
    this.#justRead = undefined;
    try {
      await this.#peer.removeTag(name, temporaryTag);
    } catch (error) {
      if (!(error instanceof GatehouseError)) throw error;
      throw new GatehouseError(error.code, `${version} arrived, but its tag "${temporaryTag}" stays: ${error.message}`);
    }
  }

  /** Waits until the upstream shows a new version, with the same bytes. */
  async #verifyPublished(change: OutboxChange): Promise<void> {
    const expected = this.#facts(change).integrity ?? '';
    for (const pause of checkPauses) {
      await this.#sleep(pause);
      const remote = await this.#peer.read(change.name);
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
    const { name } = this.#options.upstreams.require(this.#upstreamId);
    throw new GatehouseError(
      'unprocessable',
      `${name} accepted ${labelOf(change)}, but does not show it. Look at the package there, then try again.`,
    );
  }

  async #saveFailure(item: OutboxItem, error: unknown): Promise<'stopped' | 'wait'> {
    const message = error instanceof Error ? error.message : String(error);
    const attempts = item.attempts + 1;
    if (error instanceof OutboundError && (error.failure === 'offline' || error.isTheirs)) {
      const isErrorResponse = error.failure === 'status' && error.status !== 429;
      if (!isErrorResponse || attempts < mostAttempts) {
        await this.#save({ ...item, attempts, error: message });
        return 'wait';
      }
    }
    await this.#save({ ...item, state: 'failed', attempts, error: message });
    return 'stopped';
  }

  /** Waits until requests may go to the upstream again, or until `wake`. */
  async #pause(pauses: number): Promise<void> {
    const { connectivity, clock, onProgress } = this.#options;
    const block = connectivity.blockOf(this.#upstreamId);
    const backoff = Math.min(firstPause * 2 ** Math.min(pauses - 1, 10), longestPause);
    this.retryAt = block ? block.retryAt : clock() + backoff;
    this.isWaiting = true;
    onProgress();
    await this.#sleep(this.retryAt === null ? longestTimer : Math.max(0, this.retryAt - clock()));
    this.retryAt = null;
    this.isWaiting = false;
  }

  #sleep(milliseconds: number): Promise<void> {
    if (milliseconds === 0 || this.#stopping) return Promise.resolve();
    return new Promise((resolve) => {
      const proceed = (): void => {
        this.#wake = undefined;
        cancel();
        resolve();
      };
      const cancel = schedule(Math.min(milliseconds, longestTimer), proceed);
      this.#wake = proceed;
    });
  }

  async #save(item: OutboxItem): Promise<void> {
    if (this.#abandoned) throw new Error('The server ends.');
    const { outboxStore, unitOfWork } = this.#options;
    await unitOfWork.write(({ now }) => outboxStore.putItem(item, now));
  }
}

function labelOf({ kind, name, version, tag }: OutboxChange): string {
  return kind === 'tag.set' || kind === 'tag.remove' ? `${name} "${tag}"` : `${name}@${version}`;
}
