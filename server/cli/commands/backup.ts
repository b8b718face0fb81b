import { resolve } from 'node:path';
import { Command } from 'commander';
import { verifyBackup } from '../../storage/care/backup.ts';
import { dataDirOption } from '../data-dir.ts';
import { plural, print, printJson } from '../terminal.ts';
import { withRegistry } from '../with-registry.ts';

interface BackupOptions {
  readonly dataDir: string;
  readonly verify: boolean;
  readonly json: boolean;
}

/** `gatehouse backup FILE`: one consistent archive, taken while serving. */
export function backupCommand(): Command {
  return new Command('backup')
    .description('write the whole registry into one archive, also while it is served')
    .argument('<file>', 'the archive to write')
    .addOption(dataDirOption())
    .option('--verify', 'verify an existing archive instead', false)
    .option('--json', 'print JSON', false)
    .action(async (file: string, options: BackupOptions) => {
      const summary = options.verify
        ? await verifyBackup(file)
        : await withRegistry(options, async (registry) => {
            const { backup } = await registry.run('maintenance.backup', { file: resolve(file) });
            if (!backup) throw new Error('The server sent no summary.');
            return backup;
          });
      if (options.json) printJson(summary);
      else {
        print(
          `${summary.file} holds ${plural(summary.packages, 'package')}, ${plural(summary.versions, 'version')} and ${plural(summary.tarballs, 'tarball')} (${summary.size} bytes); it was verified.`,
        );
      }
    });
}
