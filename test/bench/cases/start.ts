import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { projectFolder } from '../../../scripts/build.ts';
import { runCommand } from '../../support/run-command.ts';
import type { Bench, Part } from '../bench.ts';
import { median } from '../measure/statistics.ts';
import { atMost } from '../report/row.ts';
import type { Row } from '../report/row.ts';
import { prepareDataFolder, startGatehouse } from '../servers/gatehouse.ts';
import { memoryOf } from '../servers/server-process.ts';
import { installVerdaccio, prepareVerdaccio, startVerdaccio } from '../servers/verdaccio.ts';
import { fillForReads, packageName } from './reads.ts';
import { openArena } from './arena.ts';

const megabyte = 1024 * 1024;

/** From the spawn to the first answer on a folder that was used before; and memory, after the start and after work. */
export const start: Part = {
  name: 'start',
  async run(bench) {
    return { rows: [await compareStarts(bench), ...(await compareMemory(bench))] };
  },
};

async function compareStarts(bench: Bench): Promise<Row> {
  const dataDir = path.join(bench.folder, 'start', 'gatehouse');
  const folder = path.join(bench.folder, 'start', 'verdaccio');
  const program = await installVerdaccio();
  await prepareDataFolder(dataDir);
  await prepareVerdaccio(folder);
  const starts = {
    gatehouse: async () => {
      const server = await startGatehouse({ dataDir, program: bench.options.program });
      await server.stop();
      return server.startMs;
    },
    verdaccio: async () => {
      const server = await startVerdaccio(program, folder);
      await server.stop();
      return server.startMs;
    },
    express: startExpress,
  };
  const times = { gatehouse: [] as number[], verdaccio: [] as number[], express: [] as number[] };
  // The first round warms the disk's cache and is not counted.
  for (let round = 0; round <= Math.max(3, bench.options.rounds); round += 1) {
    for (const name of ['gatehouse', 'verdaccio', 'express'] as const) {
      const time = await starts[name]();
      if (round > 0) times[name].push(time);
    }
  }
  const ratioTo = (name: 'verdaccio' | 'express'): number =>
    median(times.gatehouse.map((time, round) => time / (times[name][round] ?? Number.NaN)));
  bench.say(`start: ${times.gatehouse.map(Math.round).join(', ')} ms`);
  return {
    part: 'start',
    work: 'start to ready, built',
    unit: 'ms',
    gatehouse: median(times.gatehouse),
    verdaccio: median(times.verdaccio),
    bare: median(times.express),
    goals: [
      atMost('Verdaccio', ratioTo('verdaccio'), 0.5),
      atMost('`node -e 0` with Express loaded', ratioTo('express'), 2),
    ],
  };
}

async function startExpress(): Promise<number> {
  const from = performance.now();
  const { code, output } = await runCommand(process.execPath, ['--require', 'express', '-e', '0'], {
    cwd: projectFolder,
    timeLimit: 30_000,
  });
  if (code !== 0) throw new Error(`Express could not be loaded: ${output}`);
  return performance.now() - from;
}

async function compareMemory(bench: Bench): Promise<Row[]> {
  const arena = await openArena(bench, 'memory');
  const measure = async (work: string): Promise<Row> => {
    await pause(bench.options.quick ? 1000 : 5000);
    const gatehouse = memoryOf(arena.gatehouse.pid).now / megabyte;
    const verdaccio = memoryOf(arena.verdaccio.pid).now / megabyte;
    const goals = [atMost('Verdaccio', gatehouse / verdaccio, 0.5)];
    return { part: 'start', work, unit: 'MB', gatehouse, verdaccio, goals };
  };
  try {
    const fresh = await measure('idle memory after the start');
    await fillForReads(bench, arena);
    for (const [server, registryPath] of [
      [arena.gatehouse, arena.publicPath],
      [arena.verdaccio, arena.verdaccioPath],
    ] as const) {
      await bench.load.run({
        kind: 'requests',
        origin: server.origin,
        samples: [{ path: registryPath + packageName, headers: { 'accept-encoding': 'gzip' } }],
        order: 'turn',
        connections: 32,
        seconds: 0,
        count: bench.options.quick ? 200 : 2000,
        expectedStatus: 200,
      });
    }
    return [fresh, await measure('idle memory after publishes and many packuments')];
  } finally {
    await arena.stop();
  }
}
