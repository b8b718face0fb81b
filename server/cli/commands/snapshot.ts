import { Command } from 'commander';
import type { Snapshot } from '../../contract/maintenance.ts';
import { recoverFromSnapshot, snapshotsOf } from '../../storage/care/recover.ts';
import { commandLineActor } from '../../accounts/change.ts';
import { StartupError } from '../../lib/startup-error.ts';
import { stopRequest } from '../../stop-request.ts';
import { dataDirOption } from '../data-dir.ts';
import { plural, print, printJson, table } from '../terminal.ts';
import { withRegistry } from '../with-registry.ts';

interface SnapshotOptions {
  readonly dataDir: string;
}

/** `gatehouse snapshot`: named states of the data folder, for rehearsing a release. */
export function snapshotCommand(): Command {
  return new Command('snapshot')
    .description('save states of the registry and restore them')
    .addCommand(createCommand())
    .addCommand(listCommand())
    .addCommand(rewindCommand())
    .addCommand(dropCommand());
}

function createCommand(): Command {
  return new Command('create')
    .description('save the present state under a name')
    .argument('<name>')
    .addOption(dataDirOption())
    .action((name: string, { dataDir }: SnapshotOptions) =>
      withRegistry({ dataDir }, async (registry) => {
        await registry.run('maintenance.createSnapshot', { name });
        print(`Saved the present state as "${name}". To restore it: gatehouse snapshot restore ${argument(name)}`);
      }),
    );
}

function listCommand(): Command {
  return new Command('list')
    .description('list snapshots, newest first')
    .addOption(dataDirOption())
    .option('--json', 'print JSON', false)
    .action(({ dataDir, json }: SnapshotOptions & { json: boolean }) =>
      withRegistry({ dataDir }, async (registry) => {
        const snapshots = await registry.call('maintenance.snapshots', {});
        show(snapshots, json);
      }).catch((error: unknown) => {
        if (!isDamage(error)) throw error;
        show(snapshotsOf(dataDir).list(), json);
      }),
    );
}

/** A name as it is typed after a command. */
const argument = (name: string): string => (name.includes(' ') ? `"${name}"` : name);

/** Snapshots can be listed and restored although the database is damaged. */
function isDamage(error: unknown): boolean {
  return error instanceof StartupError && error.failure === 'databaseDamaged';
}

function show(snapshots: readonly Snapshot[], json: boolean): void {
  if (json) {
    printJson(snapshots);
    return;
  }
  if (snapshots.length === 0) print('There are no snapshots. Create one with "gatehouse snapshot create NAME".');
  const rows = snapshots.map(({ name, createdAt, packages, versions }) => [
    name,
    new Date(createdAt).toISOString(),
    plural(packages, 'package'),
    plural(versions, 'version'),
  ]);
  for (const line of table(rows)) print(line);
}

function rewindCommand(): Command {
  return new Command('restore')
    .description('restore a snapshot; the present state is saved as "before-restore"')
    .argument('<name>')
    .addOption(dataDirOption())
    .action(async (name: string, { dataDir }: SnapshotOptions) => {
      const stop = stopRequest();
      try {
        await withRegistry({ dataDir }, (registry) => registry.run('maintenance.restoreSnapshot', { name }, stop));
        print(`The registry is as it was in "${name}". The state before is the snapshot "before-restore".`);
      } catch (error) {
        if (!isDamage(error)) throw error;
        const quarantine = await recoverFromSnapshot(dataDir, name, commandLineActor(), stop);
        print(`The registry is as it was in "${name}". The damaged database is in ${quarantine}.`);
        print('Users, passwords, rights and tokens are those of then, as no present state could be read.');
      }
    });
}

function dropCommand(): Command {
  return new Command('drop')
    .description('delete a snapshot and the tarballs that only it needs')
    .argument('<name>')
    .addOption(dataDirOption())
    .action((name: string, { dataDir }: SnapshotOptions) =>
      withRegistry({ dataDir }, async (registry) => {
        await registry.call('maintenance.dropSnapshot', { name });
        print(`Deleted "${name}".`);
      }),
    );
}
