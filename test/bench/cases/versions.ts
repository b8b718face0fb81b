import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Bench, Part } from '../bench.ts';
import { LoadGenerator } from '../measure/load-generator.ts';
import type { LoadJob } from '../measure/load-job.ts';
import { compare } from '../measure/rounds.ts';
import { atLeast, below } from '../report/row.ts';
import type { Row } from '../report/row.ts';
import { fillFolder } from '../scale/filled-folder.ts';
import { Growth } from '../scale/growth.ts';
import { registryPathOf, rootToken, startGatehouse } from '../servers/gatehouse.ts';
import type { ServerProcess } from '../servers/server-process.ts';
import { installVerdaccio, prepareVerdaccio, startVerdaccio } from '../servers/verdaccio.ts';
import { fetchAnswer } from './arena.ts';

/** Makes a manifest of 1.2 KB one of 5 KB: 4,000 versions are 20 MB then. */
const padding = 3700;
const manyPrefix = 'versions';

/** Packages of very many versions: nobody else may wait for them, and ready bytes must pay off most here. */
export const versions: Part = {
  name: 'versions',
  async run(bench) {
    const sizes = bench.options.quick ? [10, 100, 1000] : [10, 100, 1000, 10_000];
    const heavy = bench.options.quick ? 400 : 4000;
    const dataDir = path.join(bench.folder, 'versions', 'gatehouse');
    const { publicId } = await fillFolder(dataDir, [
      ...sizes.map((count) => ({ packages: 1, versions: count, namePrefix: `${manyPrefix}-${count}`, padding: 0 })),
      { packages: 1, versions: heavy, namePrefix: 'heavy', padding },
    ]);
    const server = await startGatehouse({ dataDir, program: bench.options.program });
    const registryPath = registryPathOf(publicId);
    const growth = new Growth();
    const rows: Row[] = [];
    try {
      for (const count of sizes) {
        const stalls = await measureStalls(bench, server, registryPath, count, growth);
        if (count === sizes.at(-1)) rows.push(stalls);
      }
      rows.push(await compareHeavy(bench, server, registryPath, heavy));
    } finally {
      await server.stop();
    }
    return { rows, charts: [growth.chart('versions of one package')] };
  },
};

/** Publishes to a package and asks for each form of its packument while another process asks the server for something small. */
async function measureStalls(
  bench: Bench,
  server: ServerProcess,
  registryPath: string,
  count: number,
  growth: Growth,
): Promise<Row> {
  const name = `${manyPrefix}-${count}-0`;
  const prober = new LoadGenerator();
  const waits: { work: string; longest: number }[] = [];
  const during = async (work: string, job: LoadJob): Promise<number> => {
    const stop = await prober.startProbe({ kind: 'probe', origin: server.origin, path: '/-/liveness', pause: 1 });
    const result = await bench.load.run(job);
    waits.push({ work, longest: (await stop()).max });
    return result.max;
  };
  try {
    // Without this the first publish also pays for code that was never run.
    await bench.load.run(publishJob(server, registryPath, `${manyPrefix}-warm-up`, 0));
    const published = await during('publish', publishJob(server, registryPath, name, 0));
    const forms = ['application/json', 'application/vnd.npm.install-v1+json'].flatMap((accept) =>
      ['identity', 'gzip', 'br'].map((encoding) => ({ accept, 'accept-encoding': encoding })),
    );
    for (const headers of forms) {
      const sample = { path: registryPath + name, headers };
      const answered = await during(`${headers.accept} ${headers['accept-encoding']}`, {
        kind: 'requests',
        origin: server.origin,
        samples: [sample],
        order: 'turn',
        connections: 1,
        seconds: 0,
        count: 1,
        expectedStatus: 200,
      });
      if (headers === forms[0]) growth.note('packument after a change, plain (ms)', count, answered);
    }
    growth.note('publish of one more version (ms)', count, published);
  } finally {
    prober.stop();
  }
  const worst = waits.reduce((a, b) => (b.longest > a.longest ? b : a));
  growth.note('longest wait of another request (ms)', count, worst.longest);
  bench.say(`${count} versions: ${waits.map((wait) => `${wait.work} ${wait.longest.toFixed(1)} ms`).join(', ')}`);
  return {
    part: 'versions',
    work: `longest wait of another request, ${count} versions`,
    unit: 'ms',
    gatehouse: worst.longest,
    goals: [below('while one is published and read in every form', worst.longest, 50, 'ms')],
    note: `the longest came with ${worst.work}`,
  };
}

function publishJob(server: ServerProcess, registryPath: string, name: string, round: number): LoadJob {
  return {
    kind: 'publishes',
    origin: server.origin,
    registryPath,
    headers: { authorization: `Bearer ${rootToken}` },
    namePrefix: `9999.${Date.now()}${round}`,
    versionsOf: name,
    count: 1,
    tarballSize: 20 * 1024,
    connections: 1,
  };
}

async function compareHeavy(bench: Bench, gatehouse: ServerProcess, registryPath: string, count: number): Promise<Row> {
  const headers = { accept: 'application/json', 'accept-encoding': 'gzip' };
  const plain = await fetchAnswer(gatehouse.origin, { path: `${registryPath}heavy-0` });
  const folder = path.join(bench.folder, 'versions', 'verdaccio');
  const program = await installVerdaccio();
  await prepareVerdaccio(folder);
  await storeInVerdaccio(folder, JSON.parse(plain.body.toString()) as Packument);
  const verdaccio = await startVerdaccio(program, folder);
  const job = (origin: string, path: string): LoadJob => ({
    kind: 'requests',
    origin,
    samples: [{ path, headers }],
    order: 'turn',
    connections: 4,
    seconds: bench.options.seconds,
    expectedStatus: 200,
  });
  const megabytes = (plain.body.length / 1024 / 1024).toFixed(1);
  const work = `packument of ${count} versions (${megabytes} MB), gzip`;
  try {
    const comparison = await compare(
      bench,
      work,
      [
        { name: 'gatehouse', pid: gatehouse.pid, job: () => job(gatehouse.origin, `${registryPath}heavy-0`) },
        { name: 'verdaccio', pid: verdaccio.pid, job: () => job(verdaccio.origin, '/heavy-0') },
      ],
      Math.min(3, bench.options.rounds),
    );
    return {
      part: 'versions',
      work,
      unit: '/s',
      gatehouse: comparison.median('gatehouse'),
      verdaccio: comparison.median('verdaccio'),
      goals: [atLeast('Verdaccio', comparison.ratio('gatehouse', 'verdaccio'), 100)],
      note: `${(comparison.median('gatehouse', 'bodyBytes') / 1024).toFixed(0)} KB here, ${(comparison.median('verdaccio', 'bodyBytes') / 1024).toFixed(0)} KB there on the wire`,
    };
  } finally {
    await verdaccio.stop();
  }
}

interface Packument {
  readonly name: string;
  readonly [field: string]: unknown;
}

/** Puts a packument where Verdaccio looks for it: publishing thousands of versions there takes a quarter of an hour. */
async function storeInVerdaccio(folder: string, packument: Packument): Promise<void> {
  const home = path.join(folder, 'storage', packument.name);
  await mkdir(home, { recursive: true });
  const stored = { ...packument, _uplinks: {}, _distfiles: {}, _attachments: {}, users: {}, _rev: '1-0' };
  await writeFile(path.join(home, 'package.json'), JSON.stringify(stored));
}
