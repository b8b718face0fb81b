import { mkdir, readFile, readdir } from 'node:fs/promises';
import path from 'node:path';
import type { Bench } from '../bench.ts';
import { fillForReads, readCases, readJob, sampleOf } from '../cases/reads.ts';
import { openArena } from '../cases/arena.ts';
import type { LoadJob } from '../measure/load-job.ts';
import { prepareDataFolder, registryPathOf, rootToken, startGatehouse } from '../servers/gatehouse.ts';
import { topFunctions } from './top-functions.ts';

const shown = 22;
const profiledReads = ['full-identity', 'abbreviated-gzip', 'revalidation', 'tarball-20k', 'tarball-5m'];

/**
 * Runs the server under V8's sampling profiler, once for each kind of request, and tells which functions the time goes to. Each has
 * a process of its own, on a data folder that is filled before.
 */
export async function profileServer(bench: Bench): Promise<string> {
  const arena = await openArena(bench, 'profile');
  await fillForReads(bench, arena);
  await arena.stop();
  const dataDir = path.join(bench.folder, 'profile', 'gatehouse');
  const { publicId } = await prepareDataFolder(dataDir);
  const registryPath = registryPathOf(publicId);
  const texts: string[] = [];
  for (const key of profiledReads) {
    const one = readCases.find((candidate) => candidate.key === key);
    if (!one) continue;
    texts.push(
      await profile(bench, dataDir, one.work, async (server) => {
        const { sample } = await sampleOf(server, registryPath + one.path, one);
        return readJob(bench, server, sample, one);
      }),
    );
  }
  for (const connections of [1, 8]) {
    texts.push(
      await profile(bench, dataDir, `publish 20 KB, ${connections} at once`, (server) =>
        Promise.resolve({
          kind: 'publishes',
          origin: server.origin,
          registryPath,
          headers: { authorization: `Bearer ${rootToken}` },
          namePrefix: `profiled-${connections}`,
          count: Math.round(500 * bench.options.seconds),
          tarballSize: 20 * 1024,
          connections,
        }),
      ),
    );
  }
  return `${texts.join('\n\n')}\n`;
}

async function profile(
  bench: Bench,
  dataDir: string,
  work: string,
  jobFor: (server: Awaited<ReturnType<typeof startGatehouse>>) => Promise<LoadJob>,
): Promise<string> {
  const folder = path.join(bench.folder, 'cpu-profiles', work.replace(/\W+/g, '-'));
  await mkdir(folder, { recursive: true });
  const server = await startGatehouse({
    dataDir,
    program: bench.options.program,
    nodeFlags: ['--cpu-prof', `--cpu-prof-dir=${folder}`, '--cpu-prof-interval=250'],
  });
  const result = await bench.load.run(await jobFor(server));
  await server.stop();
  const [file] = await readdir(folder);
  if (file === undefined) throw new Error('Node wrote no profile.');
  const text = topFunctions(await readFile(path.join(folder, file), 'utf8'), shown);
  return `${work}: ${Math.round(result.perSecond)}/s while profiled\n${text}`;
}
