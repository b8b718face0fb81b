import type { Job } from '../../../server/contract/maintenance.ts';
import { formatBytes, formatCount, plural } from '../../ui/format.ts';

const names: Record<Job['kind'], string> = {
  doctor: 'Check',
  backup: 'Backup',
  restore: 'Restore',
  snapshot: 'Snapshot',
  rewind: 'Going back',
};

/** What a job is called. */
export function jobName(job: Job): string {
  return names[job.kind];
}

/** How far a running job is, in percent; undefined while nobody knows. */
export function jobProgress(job: Job): number | undefined {
  return job.total > 0 ? Math.min(100, (job.done / job.total) * 100) : undefined;
}

/** How a job ended, in a sentence. */
export function jobOutcome(job: Job): string {
  if (job.state === 'running') return `${job.phase}…`;
  if (job.state === 'cancelled') return 'Cancelled. Nothing was changed.';
  if (job.state === 'failed') return job.error ?? 'It failed.';
  if (job.report) {
    const { checked, findings, healthy } = job.report;
    const seen = `${plural(checked.versions, 'version')} and ${formatBytes(checked.bytes)} checked`;
    if (findings.length === 0) return `All is well: ${seen}.`;
    return healthy ? `All is well now: ${seen}.` : `${plural(findings.length, 'thing')} found, ${seen}.`;
  }
  if (job.backup) {
    return `${formatCount(job.backup.versions)} versions in ${formatBytes(job.backup.size)}, written and read back: ${job.backup.file}`;
  }
  return 'Done.';
}
