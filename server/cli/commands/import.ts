import { resolve } from 'node:path';
import { Command } from 'commander';
import { GatehouseError } from '../../contract/errors.ts';
import { dataDirOption } from '../data-dir.ts';
import { plural, print, printJson, remark, table } from '../terminal.ts';
import { withRegistry } from '../with-registry.ts';
import type { CommandRegistry } from '../with-registry.ts';

interface ImportOptions {
  readonly dataDir: string;
  readonly project: string;
  readonly dryRun: boolean;
  readonly key?: string;
  readonly trust: boolean;
  readonly json: boolean;
}

/** `gatehouse import`: packages from a bundle. */
export function importCommand(): Command {
  return new Command('import')
    .description('verify a file of "gatehouse export" and publish what is new in it')
    .argument('<file>')
    .option('--project <path>', 'project that packages are published to', 'local/packages')
    .option('--dry-run', 'verify it and print what would be done', false)
    .option('--key <fingerprint>', 'accept it only if signed with this key')
    .option('--trust', 'accept its key, and trust it from now on', false)
    .option('--json', 'print JSON', false)
    .addOption(dataDirOption())
    .action((file: string, options: ImportOptions) =>
      withRegistry({ ...options, mayCreate: !options.dryRun }, (registry) =>
        importBundle(registry, resolve(file), options),
      ),
    );
}

async function importBundle(registry: CommandRegistry, file: string, options: ImportOptions): Promise<void> {
  const request = { file, projectId: (await registry.project(options.project)).id, requireKey: options.key ?? null };
  const report = options.dryRun
    ? await registry.call('bundles.inspect', request)
    : await registry.call('bundles.import', { ...request, trustKey: options.trust });
  if (options.json) {
    printJson(report);
    return;
  }
  print(
    // What the bundle says of itself comes last, so that it cannot pass for what was found out about it.
    `Signed with ${report.keyId} (${report.keyTrust} key) on ${new Date(report.createdAt).toISOString()}; its source is "${report.source}".`,
  );
  const rows = report.entries.map(({ name, version, verdict, explanation }) => [
    verdict,
    `${name}@${version}`,
    explanation,
  ]);
  for (const line of table(rows)) print(line);
  for (const missing of report.missing) remark(`  not in it: ${missing}`);
  const stopped = report.entries.filter(({ verdict }) => verdict === 'conflict' || verdict === 'refused').length;
  if (stopped > 0)
    throw new GatehouseError(
      'conflict',
      `${plural(stopped, 'version')} ${options.dryRun ? 'would not be' : stopped === 1 ? 'was not' : 'were not'} imported.`,
    );
}
