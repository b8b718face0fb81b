import { Command } from 'commander';
import type { Snapshot } from '../../contract/maintenance.ts';
import { recoverFromSnapshot, snapshotsOf } from '../../storage/care/recover.ts';
import { StartupError } from '../../lib/startup-error.ts';
import { dataDirOption } from '../data-dir.ts';
import { cliActor } from '../open-people.ts';
import { print, printJson, table } from '../print.ts';
import { withMaintenance } from '../with-maintenance.ts';

interface SnapshotOptions {
  readonly dataDir: string;
}

/** `gatehouse snapshot`: states to go back to, for rehearsing a release. */
export function snapshotCommand(): Command {
  return new Command('snapshot')
    .description('keep states of the registry and go back to them')
    .addCommand(createCommand())
    .addCommand(listCommand())
    .addCommand(rewindCommand())
    .addCommand(dropCommand());
}

function createCommand(): Command {
  return new Command('create')
    .description('keep the present state under a name')
    .argument('<name>')
    .addOption(dataDirOption())
    .action((name: string, { dataDir }: SnapshotOptions) =>
      withMaintenance(dataDir, async (maintenance) => {
        await maintenance.run('maintenance.createSnapshot', { name });
        print(`The present state is kept as "${name}". Go back to it with "gatehouse snapshot restore ${name}".`);
      }),
    );
}

function listCommand(): Command {
  return new Command('list')
    .description('list the states that are kept, newest first')
    .addOption(dataDirOption())
    .option('--json', 'print them as JSON', false)
    .action(({ dataDir, json }: SnapshotOptions & { json: boolean }) =>
      withMaintenance(dataDir, async (maintenance) => {
        const snapshots = await maintenance.call('maintenance.snapshots', {});
        show(snapshots, json);
      }).catch((error: unknown) => {
        if (!isDamage(error)) throw error;
        show(snapshotsOf(dataDir).list(), json);
      }),
    );
}

/** What a damaged database is still good for: a snapshot can take its place. */
function isDamage(error: unknown): boolean {
  return error instanceof StartupError && error.failure === 'databaseDamaged';
}

function show(snapshots: readonly Snapshot[], json: boolean): void {
  if (json) {
    printJson(snapshots);
    return;
  }
  if (snapshots.length === 0) print('No state is kept. Keep one with "gatehouse snapshot create NAME".');
  const rows = snapshots.map(({ name, createdAt, packages, versions }) => [
    name,
    new Date(createdAt).toISOString(),
    `${packages} packages`,
    `${versions} versions`,
  ]);
  for (const line of table(rows)) print(line);
}

function rewindCommand(): Command {
  return new Command('restore')
    .description('go back to a state; the present one is kept as "before-rewind"')
    .argument('<name>')
    .addOption(dataDirOption())
    .action(async (name: string, { dataDir }: SnapshotOptions) => {
      try {
        await withMaintenance(dataDir, (maintenance) => maintenance.run('maintenance.restoreSnapshot', { name }));
        print(`The registry is as it was in "${name}". What was there before is kept as "before-rewind".`);
      } catch (error) {
        if (!isDamage(error)) throw error;
        const quarantine = await recoverFromSnapshot(dataDir, name, cliActor);
        print(`The registry is as it was in "${name}". The damaged database is kept in ${quarantine}.`);
      }
    });
}

function dropCommand(): Command {
  return new Command('drop')
    .description('let go of a state and of the tarballs that only it needs')
    .argument('<name>')
    .addOption(dataDirOption())
    .action((name: string, { dataDir }: SnapshotOptions) =>
      withMaintenance(dataDir, async (maintenance) => {
        await maintenance.call('maintenance.dropSnapshot', { name });
        print(`"${name}" is gone.`);
      }),
    );
}
