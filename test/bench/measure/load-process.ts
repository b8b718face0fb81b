/** The process that generates load: jobs come in and results go out over the fork's channel. */
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import {
  publishDocument,
  sampleManifest,
  seededNumbers,
  TarballMaker,
  treeDependencies,
} from '../samples/sample-package.ts';
import type { LoadJob, LoadReply, LoadRequest, LoadResult } from './load-job.ts';
import { RawConnection, requestHead } from './raw-client.ts';
import type { RawAnswer } from './raw-client.ts';
import { percentile } from './statistics.ts';

type JobOf<K extends LoadJob['kind']> = Extract<LoadJob, { kind: K }>;

const probing = { stopRequested: false };

function reply(message: LoadReply): void {
  process.send?.(message);
}

process.on('message', (message: LoadRequest) => {
  const { id, job } = message;
  if (job.kind === 'stop') {
    probing.stopRequested = true;
    return;
  }
  run(job, () => reply({ id, kind: 'begun' })).then(
    (result) => reply({ id, kind: 'done', result }),
    (error: unknown) => reply({ id, kind: 'failed', message: error instanceof Error ? error.message : String(error) }),
  );
});
process.on('disconnect', () => process.exit(0));

/** @param begun is called when preparations are over and the first request goes out */
function run(job: LoadJob, begun: () => void): Promise<LoadResult> {
  switch (job.kind) {
    case 'requests':
      return sendRequests(job, begun);
    case 'publishes':
      return sendPublishes(job, begun);
    case 'upload':
      return sendUpload(job, begun);
    case 'probe':
      return probe(job, begun);
  }
}

/** Collects latencies between `start` and `finish`. */
class Recorder {
  readonly #latencies: number[] = [];
  #bytes = 0;
  #startedAt = 0;
  #cpu = process.cpuUsage();

  start(): void {
    this.#latencies.length = 0;
    this.#bytes = 0;
    this.#cpu = process.cpuUsage();
    this.#startedAt = performance.now();
  }

  get count(): number {
    return this.#latencies.length;
  }

  note(latency: number, answer: RawAnswer): void {
    this.#latencies.push(latency);
    this.#bytes += answer.bodyBytes;
  }

  finish(): LoadResult {
    const seconds = (performance.now() - this.#startedAt) / 1000;
    const cpu = process.cpuUsage(this.#cpu);
    const sorted = Float64Array.from(this.#latencies).sort();
    return {
      count: sorted.length,
      seconds,
      perSecond: sorted.length / seconds,
      p50: percentile(sorted, 0.5),
      p95: percentile(sorted, 0.95),
      p99: percentile(sorted, 0.99),
      max: sorted.at(-1) ?? 0,
      bodyBytes: sorted.length === 0 ? 0 : Math.round(this.#bytes / sorted.length),
      busy: (cpu.user + cpu.system) / 1e6 / seconds,
    };
  }
}

async function withConnections<T>(
  origin: string,
  count: number,
  work: (connections: readonly RawConnection[], address: URL) => Promise<T>,
): Promise<T> {
  const address = new URL(origin);
  const connections = Array.from({ length: count }, () => new RawConnection(address.hostname, Number(address.port)));
  try {
    await Promise.all(connections.map((connection) => connection.opened()));
    return await work(connections, address);
  } finally {
    for (const connection of connections) connection.close();
  }
}

function requireStatus(answer: RawAnswer, expected: number, what: string): void {
  if (answer.status === expected) return;
  throw new Error(`${what} answered ${answer.status} instead of ${expected}.\n${answer.excerpt}`);
}

function sendRequests(job: JobOf<'requests'>, begun: () => void): Promise<LoadResult> {
  return withConnections(job.origin, job.connections, async (connections, address) => {
    const heads = job.samples.map((sample) => requestHead('GET', address, sample.path, sample.headers));
    const random = seededNumbers(42);
    let turn = 0;
    const next = (): number => (job.order === 'random' ? Math.floor(random() * heads.length) : turn++ % heads.length);
    const recorder = new Recorder();
    let ends = Number.POSITIVE_INFINITY;
    let sent = 0;
    const drive = async (connection: RawConnection): Promise<void> => {
      while (job.count === undefined ? performance.now() < ends : sent < job.count) {
        sent += 1;
        const index = next();
        const head = heads[index];
        if (!head) return;
        const from = performance.now();
        const answer = await connection.request(head);
        recorder.note(performance.now() - from, answer);
        if (answer.status !== job.expectedStatus)
          requireStatus(answer, job.expectedStatus, job.samples[index]?.path ?? '');
      }
    };
    begun();
    if (job.count === undefined) {
      ends = performance.now() + (job.seconds * 1000) / 5;
      await Promise.all(connections.map(drive));
      ends = performance.now() + job.seconds * 1000;
    }
    recorder.start();
    await Promise.all(connections.map(drive));
    return recorder.finish();
  });
}

function sendPublishes(job: JobOf<'publishes'>, begun: () => void): Promise<LoadResult> {
  return withConnections(job.origin, job.connections, async (connections, address) => {
    const maker = new TarballMaker(job.tarballSize);
    const requests = Array.from({ length: job.count }, (_, index) => {
      const name = job.versionsOf ?? `${job.namePrefix}-${index}`;
      const version = job.versionsOf === undefined ? '1.0.0' : `${job.namePrefix}.${index}`;
      const manifest = sampleManifest(
        name,
        version,
        job.tree ? treeDependencies(job.namePrefix, index, job.count) : undefined,
      );
      const body = publishDocument(manifest, maker.make(manifest), `${job.origin}${job.registryPath}`.slice(0, -1));
      const head = requestHead('PUT', address, `${job.registryPath}${encodeURIComponent(name)}`, {
        'content-type': 'application/json',
        'content-length': String(body.length),
        ...job.headers,
      });
      return Buffer.concat([head, body]);
    });
    const recorder = new Recorder();
    let turn = 0;
    begun();
    recorder.start();
    await Promise.all(
      connections.map(async (connection) => {
        for (;;) {
          const request = requests[turn++];
          if (!request) return;
          const from = performance.now();
          const answer = await connection.request(request);
          recorder.note(performance.now() - from, answer);
          if (answer.status !== 200 && answer.status !== 201) requireStatus(answer, 200, 'A publish');
        }
      }),
    );
    return recorder.finish();
  });
}

function sendUpload(job: JobOf<'upload'>, begun: () => void): Promise<LoadResult> {
  return withConnections(job.origin, 1, async ([connection], address) => {
    if (!connection) throw new Error('There is no connection.');
    const { size } = await stat(job.file);
    const head = requestHead('PUT', address, job.path, {
      'content-type': 'application/json',
      'content-length': String(size),
      ...job.headers,
    });
    const recorder = new Recorder();
    begun();
    recorder.start();
    const from = performance.now();
    const body = createReadStream(job.file, { highWaterMark: 1024 * 1024 }) as AsyncIterable<Buffer>;
    const answer = await connection.upload(head, body);
    recorder.note(performance.now() - from, answer);
    if (answer.status !== 200 && answer.status !== 201) requireStatus(answer, 200, 'The upload');
    return recorder.finish();
  });
}

function probe(job: JobOf<'probe'>, begun: () => void): Promise<LoadResult> {
  return withConnections(job.origin, 1, async ([connection], address) => {
    if (!connection) throw new Error('There is no connection.');
    const head = requestHead('GET', address, job.path);
    probing.stopRequested = false;
    for (let warm = 0; warm < 50; warm += 1) await connection.request(head);
    const recorder = new Recorder();
    recorder.start();
    begun();
    while (!probing.stopRequested) {
      const from = performance.now();
      const answer = await connection.request(head);
      recorder.note(performance.now() - from, answer);
      if (answer.status !== 200) requireStatus(answer, 200, job.path);
      await pause(job.pause);
    }
    return recorder.finish();
  });
}
