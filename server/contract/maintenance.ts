import { z } from 'zod';
import { localPath } from './local-path.ts';

/** What doctor can find wrong, one word for each kind (docs/guide/backup.md). */
export const findingKinds = [
  'database',
  'tarball_missing',
  'tarball_damaged',
  'tarball_row',
  'orphan_file',
  'orphan_row',
  'version_row',
  'signature',
  'tag',
  'summary',
  'temporary_file',
  'foreign_file',
  'snapshot',
  'schema',
] as const;

/** One fault. `text` is a sentence for people; `repair` says what a repair does about it. */
export const finding = z.object({
  kind: z.enum(findingKinds),
  /** Clutter only costs space; an error is data that is wrong or lost. */
  severity: z.enum(['error', 'clutter']),
  subject: z.string(),
  text: z.string(),
  repair: z.enum(['fixed', 'quarantined', 'possible', 'impossible']),
});
export type Finding = z.infer<typeof finding>;

export const doctorReport = z.object({
  healthy: z.boolean(),
  repaired: z.boolean(),
  checked: z.object({
    packages: z.int(),
    versions: z.int(),
    tags: z.int(),
    tarballs: z.int(),
    bytes: z.int(),
    snapshots: z.int(),
  }),
  findings: z.array(finding),
});
export type DoctorReport = z.infer<typeof doctorReport>;

/** A backup that was written and read back. Sizes are bytes, times milliseconds since 1970. */
export const backupSummary = z.object({
  file: z.string(),
  size: z.int(),
  createdAt: z.int(),
  packages: z.int(),
  versions: z.int(),
  tarballs: z.int(),
});
export type BackupSummary = z.infer<typeof backupSummary>;

/** What a backup says of itself. The registry as a whole is in it; these are the figures. */
export const backupContents = z.object({
  size: z.int(),
  createdAt: z.int(),
  /** The version that made it. */
  gatehouse: z.string(),
  packages: z.int(),
  versions: z.int(),
});
export type BackupContents = z.infer<typeof backupContents>;

export const jobKinds = ['doctor', 'backup', 'restore', 'snapshot', 'rewind'] as const;

/** A long task. It continues when the window closes; `maintenance.progress` reports its progress. */
export const job = z.object({
  id: z.int(),
  kind: z.enum(jobKinds),
  state: z.enum(['running', 'done', 'failed', 'cancelled']),
  /** The current step, in the form "Copying the database". */
  phase: z.string(),
  done: z.int(),
  /** 0 while it is unknown. */
  total: z.int(),
  startedAt: z.int(),
  finishedAt: z.int().nullable(),
  error: z.string().nullable(),
  report: doctorReport.nullable(),
  backup: backupSummary.nullable(),
  /** Whether the schedule started it, and nobody waits for it. */
  scheduled: z.boolean(),
});
export type Job = z.infer<typeof job>;

/** A state of the registry that a rewind can restore. `size` is that of its copy of the database. */
export const snapshot = z.object({
  name: z.string(),
  createdAt: z.int(),
  size: z.int(),
  packages: z.int(),
  versions: z.int(),
  /** Whether Gatehouse made it before a rewind, so that the rewind can be undone. */
  automatic: z.boolean(),
});
export type Snapshot = z.infer<typeof snapshot>;

/** Names a folder on every system, so neither a dot nor a space ends it. */
export const snapshotName = z
  .string()
  .regex(
    /^[A-Za-z0-9][A-Za-z0-9 ._-]{0,63}$/,
    'A name has letters without accents, digits, spaces, ".", "_" and "-" only, 64 characters at most, and begins with a letter or digit.',
  )
  .refine((name) => !/[. ]$/.test(name), 'The name of a snapshot does not end with a dot or a space.');

export const backupSchedule = z.object({
  enabled: z.boolean(),
  /** Absolute path of the folder for the archives. */
  folder: z.string().max(4096),
  /** At most 31 days. */
  everyHours: z.int().min(1).max(744),
  /** The hour of the day, in local time, of backups that are made every so many days; for others it has no effect. */
  atHour: z.int().min(0).max(23).default(2),
  /** Archives to keep; older ones of the schedule are deleted. */
  keep: z.int().min(1).max(1000),
});
export type BackupSchedule = z.infer<typeof backupSchedule>;

/** Without a folder, the present one stays. */
export const scheduleChange = backupSchedule.extend({ folder: localPath('folder').optional() });
export type ScheduleChange = z.infer<typeof scheduleChange>;

export const scheduleStatus = backupSchedule.extend({
  lastAt: z.int().nullable(),
  lastError: z.string().nullable(),
  nextAt: z.int().nullable(),
  /** The scheduled ones in the folder and the last ones by hand, as far as they are there, newest first. */
  archives: z.array(z.object({ file: z.string(), size: z.int(), createdAt: z.int() })),
});
export type ScheduleStatus = z.infer<typeof scheduleStatus>;

const started = z.object({ job: z.int() });
const nothing = z.object({});
const named = z.object({ name: snapshotName });

export const maintenanceMethods = {
  /** Running jobs and the last ones that ended, newest first. */
  'maintenance.jobs': { input: nothing, output: z.array(job) },
  'maintenance.cancel': { input: started, output: z.null() },
  /** Checks every row and every byte; with `repair` it also fixes what can be fixed and quarantines what can't. */
  'maintenance.doctor': { input: z.object({ repair: z.boolean().default(false) }), output: started },
  /** Writes one archive with everything at an absolute path. A file that is there is refused, or replaced once the new one is complete. */
  'maintenance.backup': {
    input: z.object({ file: localPath('new-file'), replace: z.boolean().default(false) }),
    output: started,
  },
  /** Replaces the present state by that of an archive, after a snapshot. */
  'maintenance.restore': { input: z.object({ file: localPath('file') }), output: started },
  /** The same with one of the archives that `maintenance.schedule` lists, by its `file`. */
  'maintenance.restoreArchive': { input: z.object({ archive: z.string().max(4096) }), output: started },
  /** What one of these archives says of itself; changes nothing, and verifies nothing. */
  'maintenance.backupContents': { input: z.object({ archive: z.string().max(4096) }), output: backupContents },
  'maintenance.schedule': { input: nothing, output: scheduleStatus },
  'maintenance.setSchedule': { input: scheduleChange, output: scheduleStatus },
  /** Newest first. */
  'maintenance.snapshots': { input: nothing, output: z.array(snapshot) },
  'maintenance.createSnapshot': { input: named, output: started },
  /** Rewinds to a snapshot while serving; the present state becomes the snapshot "before-restore". */
  'maintenance.restoreSnapshot': { input: named, output: started },
  'maintenance.dropSnapshot': { input: named, output: z.null() },
} as const;

export const maintenanceEvents = {
  'maintenance.progress': job,
  /** Snapshots, archives or the schedule changed. */
  'maintenance.changed': z.object({ subject: z.enum(['snapshots', 'backups', 'schedule']) }),
  /** The whole registry was rewound: everything that was read before is stale. */
  'registry.rewound': z.object({ to: z.string() }),
} as const;
