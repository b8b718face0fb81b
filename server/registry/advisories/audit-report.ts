import semver from 'semver';
import { GatehouseError } from '../../contract/errors.ts';
import { nextTurn } from '../../lib/turns.ts';
import type { DocumentLimits } from '../publish/upload-limits.ts';
import { type Advisories, rangeOptions } from './advisories.ts';
import type { Severity, StoredAdvisory } from './advisory.ts';

/** Numbers of advisories without one of npm's start here, far above npm's own. */
const firstOwnNumber = 1_000_000_000;
const deepestTree = 200;
const mostPaths = 100;
/** Characters of all findings in a report together, of which each has some beside its path. */
const longestFindings = 2_000_000;
const findingOverhead = 100;
const longestName = 214;
/** Versions compared with the range of an advisory in one audit; a large monorepo needs a few thousand. */
const mostComparisons = 500_000;
/** Milliseconds that an audit goes on for before others get their turn. */
const slice = 10;

/** What an audit may send: the tree of a large monorepo is a few megabytes. */
export const auditLimits: DocumentLimits = {
  size: 8 * 1024 * 1024,
  part: 8 * 1024 * 1024,
  values: 200_000,
  depth: 2 * deepestTree + 10,
};

/** Looks up advisories for one audit, each package and version once, and lets other requests in between. */
class Lookup {
  readonly #advisories: Advisories;
  readonly #ofPackage = new Map<string, ReturnType<Advisories['of']>>();
  readonly #ofVersion = new Map<string, readonly StoredAdvisory[]>();
  #comparisons = 0;
  #end = performance.now() + slice;

  constructor(advisories: Advisories) {
    this.#advisories = advisories;
  }

  /** The advisories that a version falls under; none if it is no version. */
  async find(name: string, version: string): Promise<readonly StoredAdvisory[]> {
    if (performance.now() > this.#end) {
      await nextTurn();
      this.#end = performance.now() + slice;
    }
    const known = this.#candidates(name);
    if (known.length === 0) return [];
    const key = `${name}@${version}`;
    const found = this.#ofVersion.get(key) ?? this.#compare(known, version);
    this.#ofVersion.set(key, found);
    return found;
  }

  #candidates(name: string) {
    const known = this.#ofPackage.get(name) ?? this.#advisories.of(name);
    this.#ofPackage.set(name, known);
    return known;
  }

  #compare(known: ReturnType<Advisories['of']>, version: string): readonly StoredAdvisory[] {
    this.#comparisons += known.length;
    if (this.#comparisons > mostComparisons) throw unreadable('It holds too many versions. Audit a part of it.');
    const parsed = semver.parse(version, rangeOptions);
    return parsed ? known.flatMap(({ advisory, range }) => (range.test(parsed) ? [advisory] : [])) : [];
  }
}

/** The number of an advisory for clients. */
function numberOf(advisory: StoredAdvisory): number {
  return advisory.npmId ?? firstOwnNumber + advisory.id;
}

/**
 * The answer to a bulk audit: for each package the advisories that one of its versions falls under. Nothing known is `{}`.
 * @param body name to versions
 * @throws GatehouseError `invalid_request` for a body of another shape.
 */
export async function bulkAudit(advisories: Advisories, body: unknown): Promise<Record<string, unknown[]>> {
  if (!isObject(body)) throw unreadable('The body must be a JSON object of package names to lists of versions.');
  const lookup = new Lookup(advisories);
  const answer: [string, unknown[]][] = [];
  for (const [name, versions] of Object.entries(body)) {
    if (!Array.isArray(versions) || !versions.every((version) => typeof version === 'string')) {
      throw unreadable(`The versions of ${name.slice(0, 100)} must be a list of texts.`);
    }
    const found = new Set<StoredAdvisory>();
    for (const version of versions) {
      for (const advisory of await lookup.find(name, version)) found.add(advisory);
    }
    if (found.size > 0) answer.push([name, [...found].map(presentBrief)]);
  }
  return Object.fromEntries(answer);
}

interface Finding {
  readonly advisory: StoredAdvisory;
  readonly versions: Map<string, { paths: string[]; dev: boolean; optional: boolean }>;
}

interface Node {
  readonly name: string;
  readonly path: string;
  readonly depth: number;
  readonly value: Record<string, unknown>;
}

/**
 * The report that npm 6, Yarn 1 and pnpm 10 expect for a tree of dependencies as a lock file has it.
 * @throws GatehouseError `invalid_request` for a body of another shape.
 */
export async function auditReport(advisories: Advisories, body: unknown): Promise<unknown> {
  if (!isObject(body)) throw unreadable('The body must be a JSON object with the dependencies of a lock file.');
  const findings = new Map<number, Finding>();
  const counts = { dependencies: 0, devDependencies: 0, optionalDependencies: 0, totalDependencies: 0 };
  const lookup = new Lookup(advisories);
  let left = longestFindings;
  for (const node of nodesOf(body)) {
    const isDev = node.value['dev'] === true;
    const isOptional = node.value['optional'] === true;
    counts.totalDependencies += 1;
    counts[isDev ? 'devDependencies' : isOptional ? 'optionalDependencies' : 'dependencies'] += 1;
    const version = node.value['version'];
    if (typeof version !== 'string') continue;
    for (const advisory of await lookup.find(node.name, version)) {
      const finding = findings.get(advisory.id) ?? { advisory, versions: new Map() };
      findings.set(advisory.id, finding);
      const known = finding.versions.get(version) ?? { paths: [], dev: true, optional: true };
      if (known.paths.length < mostPaths) {
        known.paths.push(node.path);
        left -= node.path.length + findingOverhead;
        if (left < 0) throw unreadable('Its findings are too many, too deep in the tree. Audit a part of it.');
      }
      finding.versions.set(version, { ...known, dev: known.dev && isDev, optional: known.optional && isOptional });
    }
  }
  return {
    actions: [...findings.values()].map(actionFor),
    advisories: Object.fromEntries([...findings.values()].map((one) => [numberOf(one.advisory), presentFull(one)])),
    muted: [],
    metadata: { vulnerabilities: countBySeverity(findings.values()), ...counts },
  };
}

/** Every package in the tree. Iterates instead of recursing, so that no depth overflows the stack. */
function* nodesOf(body: Record<string, unknown>): Generator<Node> {
  const waiting: Node[] = [];
  const add = (parent: Node | undefined, value: Record<string, unknown>) => {
    const dependencies = value['dependencies'];
    if (dependencies === undefined || dependencies === null) return;
    if (!isObject(dependencies)) throw unreadable('"dependencies" must be an object.');
    const depth = (parent?.depth ?? 0) + 1;
    if (depth > deepestTree) throw unreadable(`The tree is deeper than ${deepestTree} levels.`);
    for (const [name, child] of Object.entries(dependencies)) {
      if (name.length > longestName)
        throw unreadable(`The name ${name.slice(0, 100)}… is longer than a package's can be.`);
      if (!isObject(child)) throw unreadable(`The dependency ${name.slice(0, 100)} must be an object.`);
      waiting.push({ name, path: parent ? `${parent.path}>${name}` : name, depth, value: child });
    }
  };
  add(undefined, body);
  for (let node = waiting.pop(); node; node = waiting.pop()) {
    add(node, node.value);
    // pnpm lists workspace projects by their folder, which is no package.
    if (node.name !== '.' && !node.name.startsWith('./')) yield node;
  }
}

function actionFor({ advisory, versions }: Finding): unknown {
  return {
    action: 'review',
    module: advisory.packageName,
    resolves: [...versions.values()].flatMap(({ paths, dev, optional }) =>
      paths.map((path) => ({ id: numberOf(advisory), path, dev, optional, bundled: false })),
    ),
  };
}

function presentBrief(advisory: StoredAdvisory): Record<string, unknown> {
  return {
    id: numberOf(advisory),
    url: advisory.url,
    title: advisory.title,
    severity: advisory.severity,
    vulnerable_versions: advisory.vulnerableVersions,
    cwe: advisory.cwe,
    cvss: advisory.cvss,
  };
}

function presentFull({ advisory, versions }: Finding): unknown {
  const hasPatch = advisory.patchedVersions !== '<0.0.0';
  return {
    ...presentBrief(advisory),
    findings: [...versions].map(([version, finding]) => ({ version, ...finding, bundled: false })),
    module_name: advisory.packageName,
    patched_versions: advisory.patchedVersions,
    overview: advisory.overview,
    recommendation: hasPatch ? `Upgrade to version ${advisory.patchedVersions}` : 'No patch is known',
    references: advisory.url,
    github_advisory_id: advisory.sourceId,
    cves: advisory.cves,
    access: 'public',
    created: new Date(advisory.createdAt).toISOString(),
    updated: new Date(advisory.updatedAt).toISOString(),
    deleted: null,
    found_by: null,
    reported_by: null,
    metadata: null,
  };
}

function countBySeverity(findings: Iterable<Finding>): Record<Severity, number> {
  const counts = { info: 0, low: 0, moderate: 0, high: 0, critical: 0 };
  for (const { advisory, versions } of findings) {
    for (const { paths } of versions.values()) counts[advisory.severity] += paths.length;
  }
  return counts;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function unreadable(text: string): GatehouseError {
  return new GatehouseError('invalid_request', `This is no audit request. ${text}`);
}
