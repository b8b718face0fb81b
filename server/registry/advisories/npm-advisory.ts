import semver from 'semver';
import { z } from 'zod';
import type { Advisory, Severity } from './advisory.ts';
import { severities } from './advisory.ts';

const severity = z.string().transform((word): Severity => {
  const wanted = word.toLowerCase().replace('medium', 'moderate');
  return severities.find((known) => known === wanted) ?? 'moderate';
});

/** An advisory as npm's registry, its reports and its bulk answers write it. */
const npmAdvisory = z.looseObject({
  id: z.union([z.number(), z.string()]).optional(),
  source: z.union([z.number(), z.string()]).optional(),
  github_advisory_id: z.string().optional(),
  name: z.string().optional(),
  module_name: z.string().optional(),
  title: z.string().optional(),
  url: z.string().optional(),
  severity: severity.default('moderate'),
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

const report = z.object({ advisories: z.record(z.string(), npmAdvisory) });
const secondReport = z.object({
  vulnerabilities: z.record(z.string(), z.object({ via: z.array(z.union([z.string(), npmAdvisory])) })),
});
const bulkAnswer = z.record(z.string(), z.array(npmAdvisory));

/**
 * The advisories in a document of npm's: a bulk answer (name to list), a report of `npm audit --json` (old or new), a list of
 * advisories, or a single one; undefined if it is none of these.
 */
export function advisoriesFromNpm(document: unknown): Advisory[] | undefined {
  const list = z.array(npmAdvisory).safeParse(document);
  if (list.success) return read(list.data.map((advisory) => ({ advisory })));
  const old = report.safeParse(document);
  if (old.success) return read(Object.values(old.data.advisories).map((advisory) => ({ advisory })));
  const recent = secondReport.safeParse(document);
  if (recent.success) {
    const found = Object.values(recent.data.vulnerabilities).flatMap(({ via }) =>
      via.flatMap((advisory) => (typeof advisory === 'string' ? [] : [{ advisory }])),
    );
    return read(found);
  }
  const single = npmAdvisory.safeParse(document);
  if (single.success && (single.data.vulnerable_versions ?? single.data.range) !== undefined) {
    return read([{ advisory: single.data }]);
  }
  const bulk = bulkAnswer.safeParse(document);
  if (!bulk.success) return undefined;
  return read(
    Object.entries(bulk.data).flatMap(([packageName, advisories]) =>
      advisories.map((advisory) => ({ advisory, packageName })),
    ),
  );
}

/** What can't be used (no package, no range) makes the whole document unreadable, so that nothing is lost silently. */
function read(
  found: readonly { advisory: z.infer<typeof npmAdvisory>; packageName?: string }[],
): Advisory[] | undefined {
  const advisories: Advisory[] = [];
  for (const { advisory, packageName } of found) {
    const name = packageName ?? advisory.module_name ?? advisory.name;
    const range = advisory.vulnerable_versions ?? advisory.range;
    const id = advisory.id ?? advisory.source ?? advisory.github_advisory_id ?? advisory.url;
    if (name === undefined || range === undefined || id === undefined) return undefined;
    if (semver.validRange(range, { loose: true }) === null) return undefined;
    const { cwe } = advisory;
    advisories.push({
      sourceId: typeof id === 'number' ? `npm:${id}` : id,
      packageName: name,
      npmId: typeof id === 'number' ? id : null,
      title: advisory.title ?? 'Known vulnerability',
      url: advisory.url ?? '',
      severity: advisory.severity,
      vulnerableVersions: range,
      patchedVersions: advisory.patched_versions ?? '<0.0.0',
      overview: advisory.overview ?? '',
      cwe: cwe === undefined ? [] : Array.isArray(cwe) ? cwe : [cwe],
      cves: advisory.cves ?? [],
      cvss: { score: advisory.cvss?.score ?? 0, vectorString: advisory.cvss?.vectorString ?? null },
      createdAt: timeOf(advisory.created),
      updatedAt: timeOf(advisory.updated),
    });
  }
  return advisories;
}

function timeOf(text: string | undefined): number {
  const time = text === undefined ? NaN : Date.parse(text);
  return Number.isNaN(time) ? 0 : time;
}
