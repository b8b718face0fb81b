import type { Bench } from '../bench.ts';
import type { LoadJob, RequestSample } from '../measure/load-job.ts';
import { percentile } from '../measure/statistics.ts';
import { registryPathOf, rootToken, startGatehouse } from '../servers/gatehouse.ts';
import type { BenchProjects } from '../servers/gatehouse.ts';
import type { ServerProcess } from '../servers/server-process.ts';
import { ControlCalls } from './control-calls.ts';
import { searchWords } from './fill-registry.ts';

/** Packages that are asked for again and again; small enough a set to be in memory everywhere. */
export const hotPackages = 20;
export const namePrefix = 'scale';
export const pageLength = 100;

const abbreviatedGzip = { accept: 'application/vnd.npm.install-v1+json', 'accept-encoding': 'gzip' };

export interface FilledFolder {
  readonly dataDir: string;
  readonly packages: number;
  readonly projects: BenchProjects;
}

/** A server on a filled folder, and the questions that the scale part asks it. */
export interface ScaledServer {
  readonly server: ServerProcess;
  readonly packages: number;
  readonly registryPath: string;
  readonly projectId: number;
}

export async function startScaled(bench: Bench, filled: FilledFolder): Promise<ScaledServer> {
  const server = await startGatehouse({ dataDir: filled.dataDir, program: bench.options.program, control: true });
  return {
    server,
    packages: filled.packages,
    registryPath: registryPathOf(filled.projects.publicId),
    projectId: filled.projects.publicId,
  };
}

/** Milliseconds of one start. */
export async function startTime(bench: Bench, { dataDir }: FilledFolder): Promise<number> {
  const server = await startGatehouse({ dataDir, program: bench.options.program });
  await server.stop();
  return server.startMs;
}

/** GETs of packuments that were asked for before, spread over a few packages. */
export function hotJob(bench: Bench, { server, registryPath, packages }: ScaledServer): LoadJob {
  const step = Math.max(1, Math.floor(packages / hotPackages));
  return {
    kind: 'requests',
    origin: server.origin,
    samples: Array.from({ length: hotPackages }, (_, index) => packumentSample(registryPath, index * step)),
    order: 'random',
    connections: 8,
    seconds: bench.options.seconds,
    expectedStatus: 200,
  };
}

/** One GET of every package in turn. */
export function walkJob({ server, registryPath }: ScaledServer, from: number, until: number): LoadJob {
  return {
    kind: 'requests',
    origin: server.origin,
    samples: Array.from({ length: until - from }, (_, index) => packumentSample(registryPath, from + index)),
    order: 'turn',
    connections: 8,
    seconds: 0,
    count: until - from,
    expectedStatus: 200,
  };
}

function packumentSample(registryPath: string, index: number): RequestSample {
  return { path: `${registryPath}${namePrefix}-${index}`, headers: abbreviatedGzip };
}

/** Searches as people type them: mostly rare words, some halves of a word, and now and then one that stands everywhere. */
export function searchJob(bench: Bench, { server, registryPath, packages }: ScaledServer): LoadJob {
  const texts = [
    ...Array.from({ length: 12 }, (_, index) => searchWords[index * 37] ?? ''),
    'stream1',
    'parser2',
    `${namePrefix}-${Math.floor(packages / 2)}`,
    'registry',
  ];
  return {
    kind: 'requests',
    origin: server.origin,
    samples: texts.map((text) => ({ path: `${registryPath}-/v1/search?text=${encodeURIComponent(text)}&size=20` })),
    order: 'turn',
    connections: 1,
    seconds: bench.options.seconds,
    expectedStatus: 200,
  };
}

/** Pages of GitLab's list of packages, from all over it. */
export function httpListJob(bench: Bench, { server, projectId, packages }: ScaledServer): LoadJob {
  const pages = Math.max(1, Math.floor(packages / pageLength));
  return {
    kind: 'requests',
    origin: server.origin,
    samples: Array.from({ length: 20 }, (_, index) => ({
      path: `/api/v4/projects/${projectId}/packages?per_page=${pageLength}&page=${1 + Math.floor((pages * index) / 20)}`,
    })),
    order: 'turn',
    connections: 1,
    seconds: bench.options.seconds,
    expectedStatus: 200,
  };
}

/** Publishes, each a package of its own. @param round makes the names new */
export function publishJob(bench: Bench, { server, registryPath }: ScaledServer, round: number): LoadJob {
  return {
    kind: 'publishes',
    origin: server.origin,
    registryPath,
    headers: { authorization: `Bearer ${rootToken}` },
    namePrefix: `new-${round}`,
    count: bench.options.quick ? 80 : 600,
    tarballSize: 20 * 1024,
    connections: 8,
  };
}

/** 95th percentile in milliseconds of one page of the window's list, over all of its pages and orders. */
export async function listPageTime({ server, packages }: ScaledServer): Promise<number> {
  const control = new ControlCalls(server);
  const times: number[] = [];
  for (let turn = 0; turn < 120; turn += 1) {
    const orderBy = (['name', 'publishedAt', 'size'] as const)[turn % 3];
    const offset = Math.floor(((packages - pageLength) * (turn % 40)) / 40);
    const from = performance.now();
    await control.call('packages.list', { orderBy, offset: Math.max(0, offset), limit: pageLength });
    if (turn >= 20) times.push(performance.now() - from);
  }
  return percentile(times, 0.95);
}
