import type { Bench, Part } from '../bench.ts';
import type { LoadJob, RequestSample } from '../measure/load-job.ts';
import { compare } from '../measure/rounds.ts';
import { atLeast } from '../report/row.ts';
import type { Row } from '../report/row.ts';
import type { BareRoute } from '../servers/bare.ts';
import type { ServerProcess } from '../servers/server-process.ts';
import { fetchAnswer, openArena, publishToAll, startBareLike } from './arena.ts';
import type { Arena, FetchedAnswer } from './arena.ts';

/** A kind of GET that is compared. */
export interface ReadCase {
  readonly key: string;
  readonly work: string;
  /** Path below the registry. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Whether to ask with the entity tag of the answer before. */
  readonly revalidates?: boolean;
  readonly bare: BareRoute['from'];
  readonly goals: { readonly verdaccio: number; readonly bare: number };
}

export const packageName = 'packument-of-100';
const largePackage = 'tarball-of-5-mb';
const abbreviated = 'application/vnd.npm.install-v1+json; q=1.0, application/json; q=0.8, */*';

const packumentGoals = { verdaccio: 30, bare: 0.7 };

/** All reads of issue 6, in its order. */
export const readCases: readonly ReadCase[] = [
  ...(['identity', 'gzip', 'br'] as const).flatMap((encoding): ReadCase[] => [
    {
      key: `full-${encoding}`,
      work: `packument, ${encoding === 'identity' ? 'plain' : encoding}`,
      path: packageName,
      headers: { accept: 'application/json', 'accept-encoding': encoding },
      bare: 'memory',
      goals: packumentGoals,
    },
    {
      key: `abbreviated-${encoding}`,
      work: `abbreviated packument, ${encoding === 'identity' ? 'plain' : encoding}`,
      path: packageName,
      headers: { accept: abbreviated, 'accept-encoding': encoding },
      bare: 'memory',
      goals: packumentGoals,
    },
  ]),
  {
    key: 'revalidation',
    work: 'revalidation of a packument (304)',
    path: packageName,
    headers: { accept: abbreviated, 'accept-encoding': 'gzip' },
    revalidates: true,
    bare: 'memory',
    goals: { verdaccio: 20, bare: 0.7 },
  },
  {
    key: 'tarball-20k',
    work: 'tarball of 20 KB',
    path: `${packageName}/-/${packageName}-1.0.7.tgz`,
    headers: {},
    bare: 'disk',
    goals: { verdaccio: 2, bare: 1 },
  },
  {
    key: 'tarball-5m',
    work: 'tarball of 5 MB',
    path: `${largePackage}/-/${largePackage}-1.0.0.tgz`,
    headers: {},
    bare: 'disk',
    goals: { verdaccio: 1, bare: 0.95 },
  },
];

/** Publishes what the reads ask for. */
export async function fillForReads(bench: Bench, arena: Arena): Promise<void> {
  await publishToAll(bench, arena, { name: packageName, versions: 100, tarballSize: 20 * 1024 });
  await publishToAll(bench, arena, { name: largePackage, versions: 1, tarballSize: 5 * 1024 * 1024 });
}

/** Hot GETs against Verdaccio and bare Node, and the same from a private project with a token. */
export const reads: Part = {
  name: 'reads',
  async run(bench) {
    const arena = await openArena(bench, 'reads');
    let bare: ServerProcess | undefined;
    try {
      await fillForReads(bench, arena);
      const answers = new Map<string, { answer: FetchedAnswer; from: BareRoute['from'] }>();
      for (const { key, path, headers, bare: from } of readCases) {
        const sample = { path: arena.publicPath + path, headers };
        answers.set(key, { answer: await fetchAnswer(arena.gatehouse.origin, sample), from });
      }
      bare = await startBareLike(bench, answers);
      const rows: Row[] = [];
      for (const one of readCases) rows.push(await compareRead(bench, arena, bare, one));
      for (const key of ['abbreviated-gzip', 'tarball-20k']) {
        const one = readCases.find((candidate) => candidate.key === key);
        if (one) rows.push(await comparePrivate(bench, arena, one));
      }
      return { rows };
    } finally {
      await Promise.all([arena.stop(), bare?.stop()]);
    }
  },
};

async function compareRead(bench: Bench, arena: Arena, bare: ServerProcess, one: ReadCase): Promise<Row> {
  const ours = await sampleOf(arena.gatehouse, arena.publicPath + one.path, one);
  const theirs = await sampleOf(arena.verdaccio, arena.verdaccioPath + one.path, one);
  const barest = await sampleOf(bare, `/${one.key}`, one);
  const comparison = await compare(bench, one.work, [
    { name: 'gatehouse', pid: arena.gatehouse.pid, job: () => readJob(bench, arena.gatehouse, ours.sample, one) },
    { name: 'verdaccio', pid: arena.verdaccio.pid, job: () => readJob(bench, arena.verdaccio, theirs.sample, one) },
    { name: 'bare', pid: bare.pid, job: () => readJob(bench, bare, barest.sample, one) },
  ]);
  const notes = [
    comparison.note,
    `${(ours.answer.body.length / 1024).toFixed(1)} KB here, ${(theirs.answer.body.length / 1024).toFixed(1)} KB (${theirs.answer.encoding}) there`,
  ];
  return {
    part: 'reads',
    work: one.work,
    unit: '/s',
    gatehouse: comparison.median('gatehouse'),
    verdaccio: comparison.median('verdaccio'),
    bare: comparison.median('bare'),
    goals: [
      atLeast('Verdaccio', comparison.ratio('gatehouse', 'verdaccio'), one.goals.verdaccio),
      atLeast('bare node:http', comparison.ratio('gatehouse', 'bare'), one.goals.bare),
    ],
    note: notes.filter((note) => note !== undefined).join('; '),
  };
}

async function comparePrivate(bench: Bench, arena: Arena, one: ReadCase): Promise<Row> {
  const { gatehouse, publicPath, privatePath, gatehouseHeaders } = arena;
  const open = await sampleOf(gatehouse, publicPath + one.path, one);
  const guarded = { ...one, headers: { ...one.headers, ...gatehouseHeaders } };
  const closed = await sampleOf(gatehouse, privatePath + one.path, guarded);
  const work = `${one.work}, private project with a token`;
  const comparison = await compare(bench, work, [
    { name: 'private', pid: gatehouse.pid, job: () => readJob(bench, gatehouse, closed.sample, guarded) },
    { name: 'public', pid: gatehouse.pid, job: () => readJob(bench, gatehouse, open.sample, one) },
  ]);
  return {
    part: 'reads',
    work,
    unit: '/s',
    gatehouse: comparison.median('private'),
    bare: comparison.median('public'),
    goals: [atLeast('the public one', comparison.ratio('private', 'public'), 0.9)],
  };
}

/** The request as it will be sent, after one that shows what is answered. */
export async function sampleOf(
  server: ServerProcess,
  path: string,
  { headers, revalidates }: Pick<ReadCase, 'headers' | 'revalidates'>,
): Promise<{ sample: RequestSample; answer: FetchedAnswer }> {
  const answer = await fetchAnswer(server.origin, { path, headers });
  const condition = revalidates ? { 'if-none-match': answer.etag } : {};
  return { sample: { path, headers: { ...headers, ...condition } }, answer };
}

/** 32 connections that ask one thing again and again. */
export function readJob(bench: Bench, server: ServerProcess, sample: RequestSample, one: ReadCase): LoadJob {
  return {
    kind: 'requests',
    origin: server.origin,
    samples: [sample],
    order: 'turn',
    connections: 32,
    seconds: bench.options.seconds,
    expectedStatus: one.revalidates ? 304 : 200,
  };
}
