import type { Actor } from '../accounts/change.ts';
import type { Registry } from '../services.ts';
import type { MethodsOf } from './call-method.ts';

/** Checks, backups and snapshots of the whole data folder. */
export function createMaintenanceMethods(maintenance: Registry['maintenance'], actor: Actor): MethodsOf<'maintenance'> {
  return {
    'maintenance.jobs': () => maintenance.jobs.list(),
    'maintenance.cancel': ({ job }) => maintenance.jobs.cancel(job),
    'maintenance.doctor': ({ repair }) => ({ job: maintenance.examine(repair) }),
    'maintenance.backup': ({ file, replace }) => ({ job: maintenance.backUp(file, replace) }),
    'maintenance.restore': ({ file }) => ({ job: maintenance.restore(file, actor) }),
    'maintenance.restoreArchive': ({ archive }) => ({
      job: maintenance.restore(maintenance.schedule.fileOf(archive), actor),
    }),
    'maintenance.backupContents': ({ archive }) => maintenance.schedule.contentsOf(archive),
    'maintenance.schedule': () => maintenance.schedule.status(),
    'maintenance.setSchedule': (schedule) => maintenance.schedule.set(schedule),
    'maintenance.snapshots': () => maintenance.snapshots(),
    'maintenance.createSnapshot': ({ name }) => ({ job: maintenance.createSnapshot(name, actor) }),
    'maintenance.restoreSnapshot': ({ name }) => ({ job: maintenance.rewind(name, actor) }),
    'maintenance.dropSnapshot': ({ name }) => maintenance.dropSnapshot(name, actor),
  };
}
