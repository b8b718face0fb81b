import { GatehouseError } from '../../contract/errors.ts';
import type { PrefetchJob } from '../../contract/upstream.ts';
import { integrityOf, sameIntegrity } from '../../lib/integrity.ts';
import { closureOf, resolvableLocal } from '../closure.ts';
import type { Resolvable } from '../closure.ts';
import { fetchFailure } from '../network/outbound-error.ts';
import type { Forwarding } from '../proxy/forwarding.ts';
import type { UpstreamContext } from '../upstream-context.ts';
import type { LockedPackage } from './lockfiles.ts';
import { readLockfile } from './lockfiles.ts';

export interface PrefetcherOptions extends UpstreamContext {
  readonly forwarding: Forwarding;
  /** Called when a job made progress. */
  readonly onProgress: () => void;
}

/** Tarballs that are fetched at the same time. */
const concurrency = 8;
const mostJobs = 20;

type MutableJob = { -readonly [K in keyof PrefetchJob]: PrefetchJob[K] };
/** Finds what a job is to fetch; what it cannot find are failures of the job. */
type FindEntries = (job: MutableJob) => Promise<readonly LockedPackage[]>;

/** Fetches packages into the cache, for a time without a network. */
export class Prefetcher {
  readonly #options: PrefetcherOptions;
  readonly #jobs: MutableJob[] = [];
  /** A lockfile is read once: to try again, nobody has to choose it again. */
  readonly #entriesOf = new WeakMap<MutableJob, FindEntries>();
  #lastId = 0;
  #closed = false;

  constructor(options: PrefetcherOptions) {
    this.#options = options;
  }

  /** Newest first. */
  get jobs(): readonly PrefetchJob[] {
    return this.#jobs;
  }

  /** @throws GatehouseError `not_found`. */
  job(id: number): MutableJob {
    const found = this.#jobs.find((job) => job.id === id);
    if (!found) throw new GatehouseError('not_found', `There is no prefetch ${id}.`);
    return found;
  }

  /** Starts to fetch everything that a lockfile names. @throws GatehouseError `invalid_request` if it can't be read. */
  fromLockfile(fileName: string, content: string): PrefetchJob {
    const entries = readLockfile(fileName, content);
    return this.#start(fileName, async () => entries);
  }

  /** Starts to fetch packages (`name`, `name@range`) and all their dependencies. */
  fromPackages(specs: readonly string[]): PrefetchJob {
    return this.#start(specs.join(', '), async (job) => {
      const { packages, missing } = await closureOf(specs, (name) => this.#find(name));
      job.failures.push(...missing.map(({ name, range, reason }) => ({ name, version: range, reason })));
      return packages.map((found) => ({ ...found, integrity: null }));
    });
  }

  /** Stops a job; what it fetched stays. @throws GatehouseError `not_found`. */
  cancel(id: number): PrefetchJob {
    const job = this.job(id);
    if (job.state === 'running') this.#end(job, 'cancelled');
    return job;
  }

  /** Starts a job that ended once more, as a new one in its place. @throws GatehouseError `not_found`, `conflict` while it is running. */
  retry(id: number): PrefetchJob {
    const job = this.job(id);
    const entriesOf = this.#entriesOf.get(job);
    if (job.state === 'running' || !entriesOf) throw new GatehouseError('conflict', `Prefetch ${id} is running.`);
    this.#jobs.splice(this.#jobs.indexOf(job), 1);
    return this.#start(job.source, entriesOf);
  }

  /** Ends every job. */
  close(): void {
    this.#closed = true;
    for (const job of this.#jobs) if (job.state === 'running') job.state = 'cancelled';
  }

  #start(source: string, entriesOf: FindEntries): PrefetchJob {
    this.#lastId += 1;
    const job: MutableJob = {
      id: this.#lastId,
      source,
      state: 'running',
      total: 0,
      done: 0,
      fetched: 0,
      bytes: 0,
      failures: [],
      startedAt: this.#options.clock(),
      finishedAt: null,
      error: null,
    };
    this.#entriesOf.set(job, entriesOf);
    this.#jobs.unshift(job);
    this.#jobs.splice(mostJobs);
    this.#options.onProgress();
    void this.#run(job, entriesOf).catch((error: unknown) => {
      job.error = error instanceof Error ? error.message : String(error);
      this.#end(job, 'failed');
    });
    return job;
  }

  async #run(job: MutableJob, entriesOf: FindEntries): Promise<void> {
    const entries = [...(await entriesOf(job))];
    job.total = entries.length + job.failures.length;
    this.#options.onProgress();
    const worker = async (): Promise<void> => {
      for (let entry = entries.pop(); entry && job.state === 'running'; entry = entries.pop()) {
        try {
          await this.#fetch(job, entry);
          job.done += 1;
        } catch (error) {
          const reason = fetchFailure(error, `${entry.name}@${entry.version}`);
          job.failures.push({ name: entry.name, version: entry.version, reason });
        }
        if (!this.#closed) this.#options.onProgress();
      }
    };
    await Promise.all(Array.from({ length: concurrency }, worker));
    if (job.state === 'running') this.#end(job, 'done');
  }

  async #fetch(job: MutableJob, { name, version, integrity }: LockedPackage): Promise<void> {
    const { owners, forwarding, packages, store } = this.#options;
    const local = this.#options.forwarding.localPackage(name);
    const here = local?.versions.get(version);
    if (here && (integrity === null || sameIntegrity(integrity, here.integrity) !== false)) return;
    // The very bytes of the lockfile are right, whoever published them.
    const others = packages.packagesNamed(name).map((row) => packages.findVersion(row.id, version));
    if (integrity !== null && others.some((row) => row && sameIntegrity(integrity, row.integrity) === true)) return;
    if (local && owners.claimOf(name)) {
      if (!here) {
        throw new Error('This registry has no such version of its package, and no other registry is asked for it.');
      }
      requireSame(integrity, here.integrity);
      return;
    }
    // The packument too, for installs without the lockfile.
    const found = await forwarding.packument(name);
    const answer = found && (await forwarding.tarball(name, version));
    if (!found || !answer) throw new Error('No registry that may be asked has it.');
    if (answer.source.kind === 'download') await answer.source.download.stored;
    const row = store.tarball(answer.upstream.id, name, version);
    if (!row) throw new Error('It was removed from the cache meanwhile.');
    if (answer.source.kind === 'download') {
      job.fetched += 1;
      job.bytes += row.size;
    }
    requireSame(integrity, `${integrityOf(row.sha512)} ${row.integrity}`);
  }

  /** A package for the resolver: the local one, else what upstream shows. */
  async #find(name: string): Promise<Resolvable | undefined> {
    const { forwarding } = this.#options;
    const local = this.#options.forwarding.localPackage(name);
    if (local) return resolvableLocal(local);
    const found = await forwarding.packument(name);
    if (!found) return undefined;
    const { versions, distTags } = forwarding.visible(found);
    return { versions, tags: distTags };
  }

  #end(job: MutableJob, state: 'done' | 'failed' | 'cancelled'): void {
    job.state = state;
    job.finishedAt = this.#options.clock();
    if (!this.#closed) this.#options.onProgress();
  }
}

function requireSame(locked: string | null, actual: string): void {
  if (locked === null || sameIntegrity(locked, actual) !== false) return;
  throw new Error(
    `The lockfile has ${locked}, but the published tarball has ${actual.split(' ')[0]}. It was replaced since.`,
  );
}
