import { resolve } from 'node:path';
import { Command } from 'commander';
import { verifyBackup } from '../../storage/care/backup.ts';
import { dataDirOption } from '../data-dir.ts';
import { print, printJson } from '../print.ts';
import { withMaintenance } from '../with-maintenance.ts';

interface BackupOptions {
  readonly dataDir: string;
  readonly verify: boolean;
  readonly json: boolean;
}

/** `gatehouse backup FILE`: one consistent archive, taken while serving. */
export function backupCommand(): Command {
  return new Command('backup')
    .description('write everything into one archive, also while the registry is served')
    .argument('<file>', 'the archive to write')
    .addOption(dataDirOption())
    .option('--verify', 'only read an archive that is there, and say whether it is whole', false)
    .option('--json', 'print what is in it as JSON', false)
    .action(async (file: string, options: BackupOptions) => {
      const summary = options.verify
        ? await verifyBackup(file)
        : await withMaintenance(options.dataDir, async (maintenance) => {
            const { backup } = await maintenance.run('maintenance.backup', { file: resolve(file) });
            if (!backup) throw new Error('The server said nothing of its backup.');
            return backup;
          });
      if (options.json) printJson(summary);
      else {
        print(
          `${summary.file} holds ${summary.packages} packages, ${summary.versions} versions and ${summary.tarballs} tarballs (${summary.size} bytes); it was read back and is whole.`,
        );
      }
    });
}
