import semver from 'semver';
import { z } from 'zod';
import type { Advisory } from './advisory.ts';
import { severityOf, timeOf } from './advisory.ts';

/** An advisory as npm's registry, its reports and its bulk answers write it. */
const npmAdvisory = z.looseObject({
  id: z.union([z.number(), z.string()]).optional(),
  source: z.union([z.number(), z.string()]).optional(),
  github_advisory_id: z.string().optional(),
  name: z.string().optional(),
  module_name: z.string().optional(),
  title: z.string().optional(),
  url: z.string().optional(),
  severity: z.string().optional(),
  vulnerable_versions: z.string().optional(),
  range: z.string().optional(),
  patched_versions: z.string().optional(),
  overview: z.string().optional(),
  cwe: z.union([z.array(z.string()), z.string()]).optional(),
  cves: z.array(z.string()).optional(),
  cvss: z.looseObject({ score: z.number().optional(), vectorString: z.string().nullish() }).nullish(),
  created: z.string().optional(),
  updated: z.string().optional(),
});

type NpmAdvisory = z.infer<typeof npmAdvisory>;

const npm6Report = z.object({ advisories: z.record(z.string(), npmAdvisory) });
const report = z.object({
  vulnerabilities: z.record(z.string(), z.object({ via: z.array(z.union([z.string(), npmAdvisory])) })),
});
const bulkAnswer = z.record(z.string(), z.array(npmAdvisory));

/**
 * The advisories in a document of npm's: a bulk answer (name to list), a report of `npm audit --json` (old or new), a list of
 * advisories, or a single one; undefined if it is none of these, or one of them names no package or range, so that none is lost unseen.
 */
export function advisoriesFromNpm(document: unknown): Advisory[] | undefined {
  const advisories = listOf(document)?.map(fromNpm);
  return advisories?.every((advisory) => advisory !== undefined) ? advisories : undefined;
}

function listOf(document: unknown): NpmAdvisory[] | undefined {
  const list = z.array(npmAdvisory).safeParse(document).data;
  if (list) return list;
  const old = npm6Report.safeParse(document).data;
  if (old) return Object.values(old.advisories);
  const recent = report.safeParse(document).data;
  if (recent) {
    const all = Object.values(recent.vulnerabilities).flatMap(({ via }) => via);
    return all.filter((item) => typeof item !== 'string');
  }
  const single = npmAdvisory.safeParse(document).data;
  if (single && (single.vulnerable_versions ?? single.range) !== undefined) return [single];
  const bulk = bulkAnswer.safeParse(document).data;
  if (!bulk) return undefined;
  return Object.entries(bulk).flatMap(([name, found]) => found.map((item) => ({ ...item, module_name: name })));
}

function fromNpm(advisory: NpmAdvisory): Advisory | undefined {
  const packageName = advisory.module_name ?? advisory.name;
  const vulnerableVersions = advisory.vulnerable_versions ?? advisory.range;
  const id = advisory.id ?? advisory.source ?? advisory.github_advisory_id ?? advisory.url;
  if (packageName === undefined || vulnerableVersions === undefined || id === undefined) return undefined;
  if (semver.validRange(vulnerableVersions, { loose: true }) === null) return undefined;
  return {
    sourceId: typeof id === 'number' ? `npm:${id}` : id,
    packageName,
    npmId: typeof id === 'number' ? id : null,
    title: advisory.title ?? 'Known vulnerability',
    url: advisory.url ?? '',
    severity: severityOf(advisory.severity) ?? 'moderate',
    vulnerableVersions,
    patchedVersions: advisory.patched_versions ?? '<0.0.0',
    overview: advisory.overview ?? '',
    cwe: [advisory.cwe ?? []].flat(),
    cves: advisory.cves ?? [],
    cvss: { score: advisory.cvss?.score ?? 0, vectorString: advisory.cvss?.vectorString ?? null },
    createdAt: timeOf(advisory.created),
    updatedAt: timeOf(advisory.updated),
  };
}
