import { resolve } from 'node:path';
import { Command } from 'commander';
import { GatehouseError } from '../../contract/errors.ts';
import { dataDirOption } from '../data-dir.ts';
import { print, printJson, remark, table } from '../print.ts';
import { withRegistry } from '../with-registry.ts';
import type { RegistryAccess } from '../with-registry.ts';

interface ImportOptions {
  readonly dataDir: string;
  readonly project: string;
  readonly dryRun: boolean;
  readonly key?: string;
  readonly trust: boolean;
  readonly json: boolean;
}

/** `gatehouse import`: packages out of a bundle. */
export function importCommand(): Command {
  return new Command('import')
    .description('verify a file of "gatehouse export" and take in what is new in it')
    .argument('<file>')
    .option('--project <path>', 'project that packages are published to', 'local/packages')
    .option('--dry-run', 'verify it and say what would be done', false)
    .option('--key <fingerprint>', 'accept it only if it was signed with this key')
    .option('--trust', 'remember its key as trusted', false)
    .option('--json', 'print the result as JSON', false)
    .addOption(dataDirOption())
    .action((file: string, options: ImportOptions) =>
      withRegistry(options.dataDir, (access) => importBundle(access, resolve(file), options)),
    );
}

async function importBundle(access: RegistryAccess, file: string, options: ImportOptions): Promise<void> {
  const request = { file, projectId: await projectId(access, options.project), requireKey: options.key ?? null };
  const report = await access.call(options.dryRun ? 'bundles.inspect' : 'bundles.import', request);
  if (options.trust && report.keyTrust === 'unknown') {
    const { trusted } = await access.call('bundles.trustedKeys', {});
    await access.call('bundles.setTrustedKeys', { keys: [...trusted, report.keyId] });
  }
  if (options.json) {
    printJson(report);
    return;
  }
  print(
    `${report.source}, ${new Date(report.createdAt).toISOString()}, signed with ${report.keyId} (${report.keyTrust} key).`,
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
      `${stopped} versions ${options.dryRun ? 'would not be' : 'were not'} taken in.`,
    );
}

async function projectId({ call }: RegistryAccess, reference: string): Promise<number> {
  const projects = await call('directory.projects', {});
  const found = projects.find((project) => project.fullPath === reference || String(project.id) === reference);
  if (found) return found.id;
  throw new GatehouseError('project_not_found', `There is no project "${reference}".`);
}
