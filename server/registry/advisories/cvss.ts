import type { Severity } from './advisory.ts';

/** Weights of the base metrics of CVSS 3.0 and 3.1 (specification, section 7.4). */
const weights = {
  AV: { N: 0.85, A: 0.62, L: 0.55, P: 0.2 },
  AC: { L: 0.77, H: 0.44 },
  UI: { N: 0.85, R: 0.62 },
  C: { H: 0.56, L: 0.22, N: 0 },
  I: { H: 0.56, L: 0.22, N: 0 },
  A: { H: 0.56, L: 0.22, N: 0 },
} as const;
const privilegesUnchanged: Readonly<Record<string, number>> = { N: 0.85, L: 0.62, H: 0.27 };
const privilegesChanged: Readonly<Record<string, number>> = { N: 0.85, L: 0.68, H: 0.5 };

/** Base score of a CVSS 3 vector, 0 to 10; undefined if it is none. */
export function cvssScore(vector: string): number | undefined {
  if (!/^CVSS:3\.[01]\//.test(vector)) return undefined;
  const metrics = new Map(vector.split('/').map((part) => part.split(':', 2) as [string, string]));
  const weigh = (metric: keyof typeof weights): number | undefined =>
    (weights[metric] as Readonly<Record<string, number>>)[metrics.get(metric) ?? ''];
  const isChanged = metrics.get('S') === 'C';
  const privileges = (isChanged ? privilegesChanged : privilegesUnchanged)[metrics.get('PR') ?? ''];
  const [av, ac, ui, c, i, a] = (['AV', 'AC', 'UI', 'C', 'I', 'A'] as const).map(weigh);
  if ([privileges, av, ac, ui, c, i, a].includes(undefined)) return undefined;
  const base = 1 - (1 - (c ?? 0)) * (1 - (i ?? 0)) * (1 - (a ?? 0));
  const impact = isChanged ? 7.52 * (base - 0.029) - 3.25 * (base - 0.02) ** 15 : 6.42 * base;
  if (impact <= 0) return 0;
  const exploitability = 8.22 * (av ?? 0) * (ac ?? 0) * (privileges ?? 0) * (ui ?? 0);
  return roundUp(Math.min(isChanged ? 1.08 * (impact + exploitability) : impact + exploitability, 10));
}

/** The word that npm uses for a score. */
export function severityOfScore(score: number): Severity {
  if (score >= 9) return 'critical';
  if (score >= 7) return 'high';
  if (score >= 4) return 'moderate';
  return score > 0 ? 'low' : 'info';
}

/** To one decimal, upwards, the way that the specification does it without the errors of floating point. */
function roundUp(value: number): number {
  const scaled = Math.round(value * 100_000);
  return scaled % 10_000 === 0 ? scaled / 100_000 : (Math.floor(scaled / 10_000) + 1) / 10;
}
