import type { PrefetchJob } from '../../../server/contract/upstream.ts';
import { formatBytes, formatCount, plural } from '../../ui/format.ts';

/** How far a prefetch is, in percent; undefined while nobody knows how much there is. */
export function prefetchProgress({ total, done, failures }: PrefetchJob): number | undefined {
  return total > 0 ? Math.min(100, ((done + failures.length) / total) * 100) : undefined;
}

/** How a prefetch stands or ended, in a sentence. */
export function prefetchOutcome(job: PrefetchJob): string {
  const fetched = `${formatCount(job.fetched)} fetched (${formatBytes(job.bytes)})`;
  if (job.state === 'running') {
    return job.total === 0
      ? 'Finding out what is needed…'
      : `${formatCount(job.done)} of ${formatCount(job.total)} here, ${fetched}`;
  }
  if (job.state === 'failed') return job.error ?? 'It failed.';
  if (job.state === 'cancelled') return `Cancelled. ${formatCount(job.done)} of ${formatCount(job.total)} are here.`;
  if (job.failures.length > 0) return `${plural(job.failures.length, 'package')} missing, ${fetched}.`;
  return `Everything is here: ${plural(job.total, 'package')}, ${fetched}. It installs without a network now.`;
}
