import { useServerQuery } from './call.ts';

/** Running jobs and the last ones that ended, newest first. */
export const useJobs = () => useServerQuery('maintenance.jobs', {});

/** Snapshots of the registry, newest first. */
export const useSnapshots = () => useServerQuery('maintenance.snapshots', {});

/** The schedule of automatic backups, and the backups it made. */
export const useBackupSchedule = () => useServerQuery('maintenance.schedule', {});

/** What one of these backups says of itself. */
export const useBackupContents = (archive: string) => useServerQuery('maintenance.backupContents', { archive });
