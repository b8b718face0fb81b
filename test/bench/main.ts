import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { buildIfStale, projectFolder } from '../../scripts/build.ts';
import { install, npmCommands, release } from './cases/clients.ts';
import { large } from './cases/large.ts';
import { publish } from './cases/publish.ts';
import { reads } from './cases/reads.ts';
import { start } from './cases/start.ts';
import { textTable, type Bench, type Row } from './compare.ts';
import { gatehouseOf, verdaccio, type Contender, type Registry } from './contenders.ts';

const usage = `npm run bench -- [CASE ...] [--rounds N] [--against DIR] [--json FILE]

  CASE           publish, large, start, reads, npm, release, install; all without one
  --rounds N     rounds in which the servers are measured by turns (5)
  --against DIR  another checkout, with its server built by npm run build
  --json FILE    write the figures of each round
`;

/** Cases on running servers, each with new folders. Only some compare with Verdaccio. */
const cases: Readonly<Record<string, (bench: Bench, registries: readonly Registry[]) => Promise<Row[]>>> = {
  publish,
  large: (bench, registries) =>
    large(
      bench,
      registries.filter(({ name }) => name !== verdaccio.name),
    ),
  reads,
  npm: npmCommands,
  release,
  install,
};

async function run(bench: Bench, name: string, contenders: readonly Contender[]): Promise<Row[]> {
  bench.say(`${name} …`);
  if (name === 'start') return start(bench, contenders);
  const registries: Registry[] = [];
  try {
    for (const { name: folder, start: open, prepare } of contenders) {
      registries.push(await prepare(await open(path.join(bench.folder, folder))));
    }
    return (await cases[name]?.(bench, registries)) ?? [];
  } finally {
    await Promise.all(registries.map((registry) => registry.stop()));
  }
}

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      rounds: { type: 'string', default: '5' },
      against: { type: 'string' },
      json: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  });
  const known = ['start', ...Object.keys(cases)];
  if (values.help || positionals.some((name) => !known.includes(name))) {
    process.stdout.write(usage);
    process.exitCode = values.help ? 0 : 2;
    return;
  }
  await buildIfStale();
  const contenders = [
    gatehouseOf('gatehouse', projectFolder),
    ...(values.against === undefined ? [] : [gatehouseOf('against', path.resolve(values.against))]),
    verdaccio,
  ];
  const rows: Row[] = [];
  for (const name of positionals.length === 0 ? known : positionals) {
    const folder = await mkdtemp(path.join(tmpdir(), 'gatehouse-bench-'));
    try {
      const bench = { rounds: Number(values.rounds), folder, say: (text: string) => process.stderr.write(`${text}\n`) };
      rows.push(...(await run(bench, name, contenders)));
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }
  process.stdout.write(`\n${textTable(rows)}\n`);
  if (values.json !== undefined) await writeFile(values.json, `${JSON.stringify(rows, null, 2)}\n`);
}

await main();
