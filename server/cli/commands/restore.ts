import { Command } from 'commander';
import { commandLineActor } from '../../accounts/change.ts';
import { stopRequest } from '../../stop-request.ts';
import { restoreBackup } from '../../storage/care/restore.ts';
import { dataDirOption } from '../data-dir.ts';
import { plural, print, showProgress, showStep } from '../terminal.ts';

/** `gatehouse restore FILE`: a data folder out of a backup. */
export function restoreCommand(): Command {
  return new Command('restore')
    .description('make a new data folder from an archive of "gatehouse backup"')
    .argument('<file>', 'the archive to read')
    .addOption(dataDirOption())
    .action(async (file: string, { dataDir }: { dataDir: string }) => {
      const stop = stopRequest();
      const restored = restoreBackup(file, dataDir, commandLineActor(), showStep, stop);
      const { packages, versions, createdAt } = await restored.finally(() => showProgress(''));
      print(
        `${dataDir} holds ${plural(packages, 'package')} with ${plural(versions, 'version')}, as of ${new Date(createdAt).toISOString()}.`,
      );
      print('Its users, rights and tokens are those of the archive. Use it only if you trust who made the archive.');
      print(
        'Scheduled backups and automatic pushes are off: set them again in the window, under Backups and Upstream.',
      );
      print('Tokens of that time work again; make another with "gatehouse token create" if none is at hand.');
    });
}
