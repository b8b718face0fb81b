import { z } from 'zod';

/** What doctor can find wrong, one word for each kind (docs/backup.md). */
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

/** One thing that is not as it should be. `text` is a sentence for people; `repair` says what a repair does about it. */
export const finding = z.object({
  kind: z.enum(findingKinds),
  /** Clutter costs space and harms nobody; an error is data that is wrong or lost. */
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

export const jobKinds = ['doctor', 'backup', 'restore', 'snapshot', 'rewind'] as const;

/** Something that takes a while. It goes on when the window closes; `maintenance.progress` tells how far it is. */
export const job = z.object({
  id: z.int(),
  kind: z.enum(jobKinds),
  state: z.enum(['running', 'done', 'failed', 'cancelled']),
  /** What it does right now, in the form "Copying the database". */
  phase: z.string(),
  done: z.int(),
  /** 0 while it is not known yet. */
  total: z.int(),
  startedAt: z.int(),
  finishedAt: z.int().nullable(),
  error: z.string().nullable(),
  report: doctorReport.nullable(),
  backup: backupSummary.nullable(),
});
export type Job = z.infer<typeof job>;

/** A state of the registry that can be gone back to. `size` is what its own copy of the database takes. */
export const snapshot = z.object({
  name: z.string(),
  createdAt: z.int(),
  size: z.int(),
  packages: z.int(),
  versions: z.int(),
  /** Whether Gatehouse made it by itself before a rewind, as the way back. */
  automatic: z.boolean(),
});
export type Snapshot = z.infer<typeof snapshot>;

export const snapshotName = z
  .string()
  .regex(
    /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/,
    'A snapshot is named with up to 64 letters, digits, ".", "_" and "-", the first one a letter or digit.',
  )
  .refine((name) => !name.endsWith('.'), 'The name of a snapshot does not end with a dot.');

export const backupSchedule = z.object({
  enabled: z.boolean(),
  /** Absolute path of the folder that the archives go to. */
  folder: z.string().max(4096),
  everyHours: z
    .int()
    .min(1)
    .max(24 * 31),
  /** How many archives stay; older ones of the schedule are deleted. */
  keep: z.int().min(1).max(1000),
});
export type BackupSchedule = z.infer<typeof backupSchedule>;

export const scheduleStatus = backupSchedule.extend({
  lastAt: z.int().nullable(),
  lastError: z.string().nullable(),
  nextAt: z.int().nullable(),
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
  /** Writes one archive with everything, at an absolute path that does not exist yet. */
  'maintenance.backup': { input: z.object({ file: z.string().min(1).max(4096) }), output: started },
  /** Puts the state of an archive in the place of the present one, of which a snapshot is made first. */
  'maintenance.restore': { input: z.object({ file: z.string().min(1).max(4096) }), output: started },
  'maintenance.schedule': { input: nothing, output: scheduleStatus },
  'maintenance.setSchedule': { input: backupSchedule, output: scheduleStatus },
  /** Newest first. */
  'maintenance.snapshots': { input: nothing, output: z.array(snapshot) },
  'maintenance.createSnapshot': { input: named, output: started },
  /** Goes back to a snapshot while serving; the present state becomes the snapshot "before-rewind". */
  'maintenance.restoreSnapshot': { input: named, output: started },
  'maintenance.dropSnapshot': { input: named, output: z.null() },
} as const;

export const maintenanceEvents = {
  'maintenance.progress': job,
  /** Snapshots, archives or the schedule changed. */
  'maintenance.changed': z.object({ subject: z.enum(['snapshots', 'backups', 'schedule']) }),
  /** The whole registry is at another state now: nothing that was read before holds. */
  'registry.rewound': z.object({ to: z.string() }),
} as const;
