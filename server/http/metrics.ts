import type { Registry } from '../services.ts';
import type { RequestLog } from './request-log.ts';

/** `/-/metrics` in Prometheus' text format: sums only, nothing that names a package, a user or a token. */
export function renderMetrics(registry: Registry, requests: RequestLog): string {
  const counts = registry.overview.counts();
  const disk = registry.overview.disk();
  const lines: string[] = [];
  const add = (name: string, kind: 'gauge' | 'counter', help: string, samples: Readonly<Record<string, number>>) => {
    lines.push(`# HELP ${name} ${help}`, `# TYPE ${name} ${kind}`);
    for (const [labels, value] of Object.entries(samples)) lines.push(`${name}${labels} ${value}`);
  };
  add('gatehouse_info', 'gauge', 'Version of the server.', { [`{version="${registry.version}"}`]: 1 });
  add('gatehouse_uptime_seconds', 'gauge', 'Seconds since the start.', {
    '': Math.round((Date.now() - registry.startedAt) / 1000),
  });
  add('gatehouse_packages', 'gauge', 'Packages.', { '': counts.packages });
  add('gatehouse_versions', 'gauge', 'Published versions.', { '': counts.versions });
  add('gatehouse_tarball_bytes', 'gauge', 'Bytes of all tarballs, each content once.', { '': counts.tarballBytes });
  add('gatehouse_database_bytes', 'gauge', 'Bytes of the database with its log.', { '': disk.database });
  add('gatehouse_disk_free_bytes', 'gauge', 'Bytes that the disk of the data folder has left.', { '': disk.free });
  add('gatehouse_cache_bytes', 'gauge', 'Bytes that the caches in memory hold.', {
    '': registry.caches.size,
  });
  add('process_resident_memory_bytes', 'gauge', 'Bytes that the process holds.', { '': process.memoryUsage.rss() });
  add(
    'gatehouse_requests_total',
    'counter',
    'Requests answered since the start, by class of status.',
    Object.fromEntries([...requests.statusClasses].map(([kind, count]) => [`{status="${kind}xx"}`, count])),
  );
  return `${lines.join('\n')}\n`;
}
