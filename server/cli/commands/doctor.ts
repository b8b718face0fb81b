import { resolve } from 'node:path';
import { Command, Option } from 'commander';
import { commandLineActor } from '../../accounts/change.ts';
import { GatehouseError, exitCodes } from '../../contract/errors.ts';
import type { DoctorReport, Finding } from '../../contract/maintenance.ts';
import { StartupError } from '../../lib/startup-error.ts';
import type { RebuildReport } from '../../rebuild.ts';
import { stopRequest } from '../../stop-request.ts';
import { dataDirOption } from '../data-dir.ts';
import { plural, print, printJson, showProgress } from '../terminal.ts';
import { requireRegistry, withRegistry } from '../with-registry.ts';

interface DoctorOptions {
  readonly dataDir: string;
  readonly repair: boolean;
  readonly rebuild: boolean;
  readonly project?: string;
  readonly json: boolean;
}

/** `gatehouse doctor`: checks that everything stored is complete and unchanged. */
export function doctorCommand(): Command {
  return new Command('doctor')
    .description('check every row and every byte; exits 1 if anything is wrong')
    .addOption(dataDirOption())
    .option('--repair', 'repair what can be repaired, and quarantine the rest', false)
    .addOption(
      new Option('--rebuild', 'make a new database from the tarballs, where the database is missing or empty')
        .default(false)
        .conflicts('repair'),
    )
    .option('--project <path>', 'with --rebuild: project that gets the packages (default: "local/packages")')
    .option('--json', 'print JSON', false)
    .action((options: DoctorOptions) => (options.rebuild ? rebuildFolder(options) : examineFolder(options)));
}

async function rebuildFolder({ dataDir, project = 'local/packages', json }: DoctorOptions): Promise<void> {
  requireRegistry(dataDir);
  // Loaded here, since other commands need no registry in their own process.
  const { rebuildRegistry } = await import('../../rebuild.ts');
  const report = await rebuildRegistry({
    dataDir: resolve(dataDir),
    project,
    actor: commandLineActor(),
    onProgress: (done, total) => showProgress(`Rebuilding versions ${Math.floor((100 * done) / total)} %`),
  }).finally(() => showProgress(''));
  if (json) printJson(report);
  else for (const line of describeRebuilt(report)) print(line);
  if (report.skipped.length > 0) process.exitCode = exitCodes.failed;
}

function describeRebuilt(report: RebuildReport): string[] {
  const { packages, versions, skipped, project, rootToken, rootTokenFile, quarantine } = report;
  return [
    ...skipped.map(({ path, reason }) => `not rebuilt: ${path}: ${reason}`),
    `Rebuilt ${plural(versions, 'version')} of ${plural(packages, 'package')} in the project ${project}; ${skipped.length} files stay as they are without a version.`,
    'Lost are tags (latest is the highest version), users, tokens, rules, settings, other groups and projects, deprecations, publish times and publishers.',
    'Packages that were fetched from other registries, that any account published in a project of its own, or that waited for approval are among the rebuilt ones, as a tarball does not say where it is from: unpublish those that are not yours, before anybody installs.',
    `The new token of root is ${rootToken} (also in ${rootTokenFile}).`,
    `What was left of the former database is in ${quarantine}.`,
  ];
}

async function examineFolder({ dataDir, repair, project, json }: DoctorOptions): Promise<void> {
  if (project !== undefined) throw new GatehouseError('invalid_request', '--project is for --rebuild only.');
  const report = await reportOf(dataDir, repair);
  if (json) printJson(report);
  else for (const line of describe(report)) print(line);
  if (!report.healthy) process.exitCode = exitCodes.failed;
}

async function reportOf(dataDir: string, repair: boolean): Promise<DoctorReport> {
  const stop = stopRequest();
  try {
    return await withRegistry({ dataDir }, async (registry) => {
      const { report } = await registry.run('maintenance.doctor', { repair }, stop);
      if (!report) throw new Error('The server sent no report.');
      return report;
    });
  } catch (error) {
    const kind = error instanceof StartupError ? kindOf(error.failure) : undefined;
    if (!(error instanceof StartupError) || !kind) throw error;
    return {
      healthy: false,
      repaired: repair,
      checked: { packages: 0, versions: 0, tags: 0, tarballs: 0, bytes: 0, snapshots: 0 },
      findings: [{ kind, severity: 'error', subject: 'gatehouse.db', text: error.message, repair: 'impossible' }],
    };
  }
}

function kindOf(failure: StartupError['failure']): Finding['kind'] | undefined {
  if (failure === 'databaseDamaged') return 'database';
  return failure === 'schemaTooNew' || failure === 'migrationFailed' ? 'schema' : undefined;
}

function describe({ checked, findings, healthy, repaired }: DoctorReport): string[] {
  const lines = findings.map(({ severity, text, repair }) => `${severity}: ${text}${outcome(repair, repaired)}`);
  const { packages, versions, tags, tarballs, bytes, snapshots } = checked;
  lines.push(
    `Checked ${plural(packages, 'package')}, ${plural(versions, 'version')}, ${plural(tags, 'tag')}, ${plural(tarballs, 'tarball')} (${bytes} bytes), ${plural(snapshots, 'snapshot')}.`,
  );
  if (findings.length === 0) lines.push('No problems found.');
  else if (healthy) lines.push('All problems are repaired.');
  else if (!repaired && findings.some((finding) => finding.repair === 'possible')) {
    lines.push('Run "gatehouse doctor --repair" to repair what can be repaired.');
  }
  return lines;
}

function outcome(repair: Finding['repair'], repaired: boolean): string {
  switch (repair) {
    case 'fixed':
      return ' Fixed.';
    case 'quarantined':
      return ' Moved to the folder "quarantine" in the data folder.';
    case 'possible':
      return '';
    case 'impossible':
      return repaired ? ' This cannot be repaired.' : '';
  }
}
