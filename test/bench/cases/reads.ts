import path from 'node:path';
import { writeFile } from 'node:fs/promises';
import autocannon from 'autocannon';
import { request } from 'undici';
import { freePort } from '../../support/free-port.ts';
import { startServer } from '../../support/server-process.ts';
import { interleave, median, type Bench, type Row } from '../compare.ts';
import type { Registry } from '../contenders.ts';
import { makeUpload, publish } from '../packages.ts';
import { processorSecondsOf } from '../process-facts.ts';

const accept = 'application/vnd.npm.install-v1+json; q=1.0, application/json; q=0.8, */*';
const asPackageManager = { accept, 'accept-encoding': 'gzip' };
const packumentGoal = '≥ 30 × verdaccio, ≥ 0.7 × bare';

const works = [
  { work: 'small packument, gzip', path: 'read-small', headers: asPackageManager, goal: packumentGoal },
  { work: 'packument of 100 versions, gzip', path: 'read-large', headers: asPackageManager, goal: packumentGoal },
  { work: 'packument, 304', path: 'read-large', headers: asPackageManager, revalidates: true, goal: '≥ 0.7 × bare' },
  { work: 'tarball of 20 KB', path: 'read-small/-/read-small-1.0.0.tgz', headers: {}, goal: '' },
] as const;

/** What is asked again and again. */
interface Target {
  readonly name: string;
  readonly pid: number;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly status: number;
}

/** Hot reads, also against a `node:http` server that answers the same bytes from memory. */
export async function reads(bench: Bench, registries: readonly Registry[]): Promise<Row[]> {
  const [ours] = registries;
  if (!ours) return [];
  for (const registry of registries) {
    await publish(registry, await makeUpload('read-small', '1.0.0', 20 * 1024));
    for (let version = 0; version < 100; version += 1) {
      const manifest = { description: 'A package of the benchmark', dependencies: { left: '^1.0.0', right: '^2.0.0' } };
      await publish(registry, await makeUpload('read-large', `1.0.${version}`, 256, manifest));
    }
  }
  const rows: Row[] = [];
  for (const one of works) {
    const bare = await startBare(bench, ours.url + one.path, one.headers);
    try {
      const servers = [...registries.map((registry) => ({ ...registry, url: registry.url + one.path })), bare];
      const targets = await Promise.all(servers.map((server) => targetOf(server, one)));
      const rounds = await interleave(bench, targets, load);
      rows.push({
        work: one.work,
        unit: '/s',
        rounds: rounds('rate'),
        goal: one.goal,
        ...limitOf(rounds('generator')),
      });
    } finally {
      await bare.stop();
    }
  }
  return rows;
}

async function targetOf(
  { name, pid, url }: { name: string; pid: number; url: string },
  work: { headers: Readonly<Record<string, string>>; revalidates?: boolean },
): Promise<Target> {
  const answer = await request(url, { headers: work.headers });
  await answer.body.dump();
  if (!work.revalidates) return { name, pid, url, headers: work.headers, status: 200 };
  const headers = { ...work.headers, 'if-none-match': String(answer.headers['etag']) };
  return { name, pid, url, headers, status: 304 };
}

async function load({ pid, url, headers, status }: Target): Promise<Record<'rate' | 'generator', number>> {
  const before = { server: processorSecondsOf(pid), generator: process.cpuUsage() };
  const result = await autocannon({ url, headers, connections: 32, duration: 2 });
  const answered = status === 304 ? result['3xx'] : result['2xx'];
  const others =
    result.errors + result['1xx'] + result['2xx'] + result['3xx'] + result['4xx'] + result['5xx'] - answered;
  if (others > 0) throw new Error(`${url}: ${others} requests were not answered with ${status}.`);
  const { user, system } = process.cpuUsage(before.generator);
  const server = processorSecondsOf(pid) - before.server;
  return { rate: answered / result.duration, generator: (user + system) / 1e6 / Math.max(server, 0.01) };
}

/** Says for which servers autocannon itself was the limit: it worked longer than they did. */
function limitOf(rounds: Readonly<Record<string, readonly number[]>>): { note: string } | Record<string, never> {
  const limited = Object.keys(rounds).filter((name) => median(rounds[name] ?? []) > 1.1);
  return limited.length === 0
    ? {}
    : { note: `autocannon is the limit for ${limited.join(', ')}: it used more processor time than the server` };
}

/** Starts a server that answers what this address answers. */
async function startBare(bench: Bench, url: string, headers: Readonly<Record<string, string>>) {
  const answer = await request(url, { headers });
  const file = path.join(bench.folder, 'bare-body');
  await writeFile(file, Buffer.from(await answer.body.arrayBuffer()));
  const facts = JSON.stringify({ etag: answer.headers['etag'], 'content-type': answer.headers['content-type'] });
  const port = await freePort();
  const program = path.join(import.meta.dirname, '../bare-server.ts');
  const server = await startServer({
    args: [program, String(port), file, facts],
    cwd: bench.folder,
    port,
    readyPath: '/',
  });
  return { ...server, name: 'bare', url: `${server.origin}/` };
}
