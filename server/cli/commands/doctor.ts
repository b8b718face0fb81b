import { Command } from 'commander';
import { exitCodes } from '../../contract/errors.ts';
import type { DoctorReport, Finding } from '../../contract/maintenance.ts';
import { StartupError } from '../../lib/startup-error.ts';
import { dataDirOption } from '../data-dir.ts';
import { print, printJson } from '../terminal.ts';
import { withRegistry } from '../with-registry.ts';

interface DoctorOptions {
  readonly dataDir: string;
  readonly repair: boolean;
  readonly json: boolean;
}

/** `gatehouse doctor`: checks that everything stored is complete and unchanged. */
export function doctorCommand(): Command {
  return new Command('doctor')
    .description('check every row and every byte; exits 1 if anything is wrong')
    .addOption(dataDirOption())
    .option('--repair', 'repair what can be repaired, and quarantine the rest', false)
    .option('--json', 'print JSON', false)
    .action(examineFolder);
}

async function examineFolder({ dataDir, repair, json }: DoctorOptions): Promise<void> {
  const report = await reportOf(dataDir, repair);
  if (json) printJson(report);
  else for (const line of describe(report)) print(line);
  if (!report.healthy) process.exitCode = exitCodes.failed;
}

async function reportOf(dataDir: string, repair: boolean): Promise<DoctorReport> {
  try {
    return await withRegistry({ dataDir }, async (registry) => {
      const { report } = await registry.run('maintenance.doctor', { repair });
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
    `Checked ${packages} packages, ${versions} versions, ${tags} tags, ${tarballs} tarballs (${bytes} bytes), ${snapshots} snapshots.`,
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
