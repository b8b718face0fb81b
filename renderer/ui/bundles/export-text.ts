import type { BundleReport } from '../../../server/contract/bundles.ts';
import { formatBytes, plural } from '../text/format.ts';

/** Endings that the file dialogs offer for bundles. */
export const bundleExtensions = ['gatehouse', 'tar'] as const;

/** How the file of what is exported is called, without a time: "acme-tool" for `@acme/tool@^1` alone, "packages" for several. */
export function bundleNameOf([only = '', ...others]: readonly string[]): string {
  const [, name = ''] = /^@?([^@*]+)/.exec(only) ?? [];
  const plain = name.replaceAll(/[^A-Za-z0-9._-]+/g, '-').replaceAll(/^[-.]+|-+$/g, '');
  return others.length > 0 || plain === '' ? 'packages' : plain.slice(0, 80);
}

/** The title of what was written; versions that were not asked for are there because others need them. */
export function exportSummary(report: Pick<BundleReport, 'entries' | 'bytes'>, asked: readonly string[]): string {
  const isAsked = (name: string) =>
    asked.some((each) =>
      each.endsWith('*') ? name.startsWith(each.slice(0, -1)) : each === name || each.startsWith(`${name}@`),
    );
  const dependencies = report.entries.filter(({ name }) => !isAsked(name)).length;
  const needed = dependencies === 0 ? '' : ` (${plural(dependencies, 'dependency', 'dependencies')})`;
  return `Exported ${plural(report.entries.length, 'version')}${needed}, ${formatBytes(report.bytes)}`;
}
