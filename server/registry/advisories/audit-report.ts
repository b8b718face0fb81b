import { GatehouseError } from '../../contract/errors.ts';
import type { Advisories } from './advisories.ts';
import type { Severity, StoredAdvisory } from './advisory.ts';

/** Numbers of advisories without one of npm's start here, far above npm's own. */
const firstOwnNumber = 1_000_000_000;
const mostNodes = 1_000_000;
const deepestTree = 500;
const mostPaths = 100;

/** The number of an advisory for clients. */
function numberOf(advisory: StoredAdvisory): number {
  return advisory.npmId ?? firstOwnNumber + advisory.id;
}

/**
 * The answer to a bulk audit: for each package the advisories that one of its versions falls under (api/clients.md 6). Nothing known is `{}`.
 * @param body name to versions
 * @throws GatehouseError `invalid_request` for a body of another shape.
 */
export function bulkAudit(advisories: Advisories, body: unknown): Record<string, unknown[]> {
  if (!isObject(body)) throw unreadable('The body must be a JSON object of package names to lists of versions.');
  const answer = Object.entries(body).map(([name, versions]) => {
    if (!Array.isArray(versions) || !versions.every((version) => typeof version === 'string')) {
      throw unreadable(`The versions of ${name.slice(0, 100)} must be a list of texts.`);
    }
    return [name, advisories.matching(name, versions).map(presentBrief)] as const;
  });
  return Object.fromEntries(answer.filter(([, found]) => found.length > 0));
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
 * The report that npm 6, Yarn 1 and pnpm 10 expect for a tree of dependencies as a lock file has it (api/clients.md 6).
 * @throws GatehouseError `invalid_request` for a body of another shape.
 */
export function auditReport(advisories: Advisories, body: unknown): unknown {
  if (!isObject(body)) throw unreadable('The body must be a JSON object with the dependencies of a lock file.');
  const findings = new Map<number, Finding>();
  const counts = { dependencies: 0, devDependencies: 0, optionalDependencies: 0, totalDependencies: 0 };
  for (const node of nodesOf(body)) {
    const isDev = node.value['dev'] === true;
    const isOptional = node.value['optional'] === true;
    counts.totalDependencies += 1;
    counts[isDev ? 'devDependencies' : isOptional ? 'optionalDependencies' : 'dependencies'] += 1;
    const version = node.value['version'];
    if (typeof version !== 'string') continue;
    for (const advisory of advisories.matching(node.name, [version])) {
      const finding = findings.get(advisory.id) ?? { advisory, versions: new Map() };
      findings.set(advisory.id, finding);
      const known = finding.versions.get(version) ?? { paths: [], dev: true, optional: true };
      if (known.paths.length < mostPaths) known.paths.push(node.path);
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
      if (!isObject(child)) throw unreadable(`The dependency ${name.slice(0, 100)} must be an object.`);
      waiting.push({ name, path: parent ? `${parent.path}>${name}` : name, depth, value: child });
    }
  };
  add(undefined, body);
  let seen = 0;
  for (let node = waiting.pop(); node; node = waiting.pop()) {
    seen += 1;
    if (seen > mostNodes) throw unreadable(`The tree has more than ${mostNodes} packages.`);
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
