import semver from 'semver';
import { GatehouseError } from '../../contract/errors.ts';
import type { Actor, UnitOfWork } from '../../accounts/change.ts';
import type { Advisory, AdvisoryStore, StoredAdvisory } from './advisory.ts';
import { advisoriesFromNpm } from './npm-advisory.ts';
import { advisoriesFromOsv, osvDocument } from './osv-advisory.ts';

export interface ImportResult {
  readonly advisories: number;
  readonly packages: number;
  /** Documents that are about nothing of npm's, or were withdrawn. */
  readonly skipped: number;
}

interface Document {
  readonly source: string;
  readonly value: unknown;
}

/** Documents that are written in one transaction, so that an import of many thousands stalls nobody. */
const documentsPerWrite = 200;

/** Known vulnerabilities: imported from a snapshot, and asked about by audits. */
export class Advisories {
  readonly #store: AdvisoryStore;
  readonly #unitOfWork: UnitOfWork;

  constructor(store: AdvisoryStore, unitOfWork: UnitOfWork) {
    this.#store = store;
    this.#unitOfWork = unitOfWork;
  }

  get summary(): ReturnType<AdvisoryStore['count']> {
    return this.#store.count();
  }

  /** The advisories that one of these versions of a package falls under, with those versions. Versions that are none are passed over. */
  matching(packageName: string, versions: readonly string[]): { advisory: StoredAdvisory; versions: string[] }[] {
    const known = this.#store.of(packageName);
    return known.flatMap((advisory) => {
      const hit = versions.filter((version) => isWithin(version, advisory.vulnerableVersions));
      return hit.length === 0 ? [] : [{ advisory, versions: hit }];
    });
  }

  /**
   * Takes advisories in; one that is known already is replaced. The documents are OSV's or npm's, parsed from JSON.
   * @param documents with the name of where each came from, for messages
   * @throws GatehouseError `invalid_request` naming the first document that is neither; those before it are in by then.
   */
  async importAll(actor: Actor, documents: Iterable<Document> | AsyncIterable<Document>): Promise<ImportResult> {
    const names = new Set<string>();
    let advisories = 0;
    let skipped = 0;
    let waiting: { sourceId: string; found: Advisory[] }[] = [];
    const flush = async () => {
      const batch = waiting;
      waiting = [];
      await this.#unitOfWork.write((change) => {
        for (const { sourceId, found } of batch) this.#store.replace(sourceId, found, change.now);
      });
    };
    for await (const { source, value } of documents) {
      for (const entry of readDocument(source, value)) {
        if (entry.found.length === 0) skipped += 1;
        advisories += entry.found.length;
        for (const { packageName } of entry.found) names.add(packageName);
        waiting.push(entry);
      }
      if (waiting.length >= documentsPerWrite) await flush();
    }
    if (waiting.length > 0) await flush();
    const result = { advisories, packages: names.size, skipped };
    await this.#note(actor, 'advisories.imported', result);
    return result;
  }

  /** Forgets all of them; answers how many there were. */
  async clear(actor: Actor): Promise<number> {
    const count = await this.#unitOfWork.write(() => this.#store.clear());
    await this.#note(actor, 'advisories.cleared', { advisories: count });
    return count;
  }

  #note(actor: Actor, action: string, after: unknown): Promise<void> {
    return this.#unitOfWork.write((change) => {
      change.record({ actor, action, target: { type: 'advisories', id: null, name: 'advisories' }, after });
    });
  }
}

/** What one document holds, by the advisory that it is about. */
function readDocument(source: string, value: unknown): { sourceId: string; found: Advisory[] }[] {
  const osv = (Array.isArray(value) ? value : [value]).map((item) => osvDocument.safeParse(item));
  if (osv.length > 0 && osv.every(({ success }) => success) && looksLikeOsv(value)) {
    return osv.flatMap(({ data }) => (data ? [{ sourceId: data.id, found: advisoriesFromOsv(data) }] : []));
  }
  const fromNpm = advisoriesFromNpm(value);
  if (!fromNpm) {
    throw new GatehouseError(
      'invalid_request',
      `${source} holds neither advisories of npm (a bulk answer, a report of "npm audit --json", a list) nor of OSV.`,
    );
  }
  return [...Map.groupBy(fromNpm, ({ sourceId }) => sourceId)].map(([sourceId, found]) => ({
    sourceId,
    found: joinRanges(found),
  }));
}

/** A report names an advisory once for each way that leads to it: one package has it once here, with every range. */
function joinRanges(found: readonly Advisory[]): Advisory[] {
  return [...Map.groupBy(found, ({ packageName }) => packageName).values()].flatMap(([first, ...more]) => {
    if (!first) return [];
    const ranges = new Set([first, ...more].map(({ vulnerableVersions }) => vulnerableVersions));
    return [{ ...first, vulnerableVersions: [...ranges].join(' || ') }];
  });
}

/** npm's advisories have ids too, so the id alone makes no OSV document. */
function looksLikeOsv(value: unknown): boolean {
  const [first] = Array.isArray(value) ? (value as unknown[]) : [value];
  return typeof first === 'object' && first !== null && ('affected' in first || 'withdrawn' in first);
}

function isWithin(version: string, range: string): boolean {
  if (semver.valid(version, { loose: true }) === null) return false;
  return semver.satisfies(version, range, { loose: true, includePrerelease: true });
}
