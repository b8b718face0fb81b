import semver from 'semver';
import { GatehouseError } from '../../contract/errors.ts';
import type { Actor, UnitOfWork } from '../../accounts/change.ts';
import type { Advisory, AdvisoryStore, StoredAdvisory } from './advisory.ts';
import { advisoriesFromNpm } from './npm-advisory.ts';
import { advisoriesFromOsv, osvDocument } from './osv-advisory.ts';

export interface ImportResult {
  readonly advisories: number;
  readonly packages: number;
  /** Documents that are withdrawn, or about no npm package. */
  readonly skipped: number;
}

interface Document {
  readonly source: string;
  readonly value: unknown;
}

/** How versions are compared with the ranges of advisories. */
export const rangeOptions = { loose: true, includePrerelease: true };

/** Documents per transaction, so that a large import blocks no other request for long. */
const documentsPerWrite = 200;

/** Known vulnerabilities, imported from files, for audits. */
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

  /** What is known of a package, with the versions that each advisory is about. */
  of(packageName: string): { readonly advisory: StoredAdvisory; readonly range: semver.Range }[] {
    return this.#store
      .of(packageName)
      .map((advisory) => ({ advisory, range: new semver.Range(advisory.vulnerableVersions, rangeOptions) }));
  }

  /**
   * Imports documents of OSV or npm, parsed from JSON; a known advisory is replaced.
   * @param documents each with the name of its source, for messages
   * @throws GatehouseError `invalid_request` naming the first document that is neither; those before it are imported by then.
   */
  async importAll(actor: Actor, documents: Iterable<Document> | AsyncIterable<Document>): Promise<ImportResult> {
    const names = new Set<string>();
    let advisories = 0;
    let skipped = 0;
    let pending: { sourceId: string; found: Advisory[] }[] = [];
    const flush = async () => {
      await this.#unitOfWork.write((change) => {
        for (const { sourceId, found } of pending) this.#store.replace(sourceId, found, change.now);
      });
      pending = [];
    };
    for await (const { source, value } of documents) {
      for (const entry of readDocument(source, value)) {
        if (entry.found.length === 0) skipped += 1;
        advisories += entry.found.length;
        for (const { packageName } of entry.found) names.add(packageName);
        pending.push(entry);
      }
      if (pending.length >= documentsPerWrite) await flush();
    }
    if (pending.length > 0) await flush();
    const result = { advisories, packages: names.size, skipped };
    await this.#record(actor, 'advisories.imported', result);
    return result;
  }

  /** Removes all; returns how many there were. */
  async clear(actor: Actor): Promise<number> {
    const count = await this.#unitOfWork.write(() => this.#store.clear());
    await this.#record(actor, 'advisories.cleared', { advisories: count });
    return count;
  }

  #record(actor: Actor, action: string, after: unknown): Promise<void> {
    return this.#unitOfWork.write((change) => {
      change.record({ actor, action, target: { type: 'advisories', id: null, name: 'advisories' }, after });
    });
  }
}

/** What one document holds, by advisory. */
function readDocument(source: string, value: unknown): { sourceId: string; found: Advisory[] }[] {
  const items: unknown[] = Array.isArray(value) ? value : [value];
  const osv = items.map((item) => osvDocument.safeParse(item).data);
  if (looksLikeOsv(items[0]) && osv.every((document) => document !== undefined)) {
    return osv.map((document) => ({ sourceId: document.id, found: advisoriesFromOsv(document) }));
  }
  const fromNpm = advisoriesFromNpm(value);
  if (!fromNpm) {
    throw new GatehouseError(
      'invalid_request',
      `${source} holds advisories neither of npm (a bulk answer, a report of "npm audit --json", a list) nor of OSV.`,
    );
  }
  const bySource = Map.groupBy(fromNpm, ({ sourceId }) => sourceId);
  return [...bySource].map(([sourceId, found]) => ({ sourceId, found: joinRanges(found) }));
}

/** A report lists an advisory once for each way that leads to it: joins those of one package, with every range. */
function joinRanges(found: readonly Advisory[]): Advisory[] {
  return [...Map.groupBy(found, ({ packageName }) => packageName).values()].flatMap((same) => {
    const ranges = new Set(same.map(({ vulnerableVersions }) => vulnerableVersions));
    return same.slice(0, 1).map((first) => ({ ...first, vulnerableVersions: [...ranges].join(' || ') }));
  });
}

/** npm's advisories have ids too, so the id alone makes no OSV document. */
function looksLikeOsv(value: unknown): boolean {
  return typeof value === 'object' && value !== null && ('affected' in value || 'withdrawn' in value);
}
