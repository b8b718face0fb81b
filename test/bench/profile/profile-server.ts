import { mkdir, readFile, readdir } from 'node:fs/promises';
import path from 'node:path';
import type { Bench } from '../bench.ts';
import { openArena } from '../cases/arena.ts';
import { fillForReads, packageName, readCases, readJob, sampleOf } from '../cases/reads.ts';
import type { LoadJob } from '../measure/load-job.ts';
import { writeLargeUpload } from '../samples/large-upload.ts';
import { sampleManifest } from '../samples/sample-package.ts';
import { prepareDataFolder, registryPathOf, rootToken, startGatehouse } from '../servers/gatehouse.ts';
import type { ServerProcess } from '../servers/server-process.ts';
import { topFunctions } from './top-functions.ts';

const shown = 22;
const profiledReads = ['full-identity', 'abbreviated-gzip', 'revalidation', 'tarball-20k', 'tarball-5m'];
const headers = { authorization: `Bearer ${rootToken}` };

/** One kind of work: what is sent to a server that was just started, or nothing, to see the start itself. */
interface ProfiledWork {
  readonly work: string;
  readonly jobFor: (server: ServerProcess) => Promise<LoadJob> | LoadJob | undefined;
}

/**
 * Runs the server under V8's sampling profiler, once for each kind of request, and tells which functions the time goes to. Each has
 * a process of its own, on a data folder that is filled before.
 */
export async function profileServer(bench: Bench): Promise<string> {
  const arena = await openArena(bench, 'profile');
  try {
    await fillForReads(bench, arena);
  } finally {
    await arena.stop();
  }
  const dataDir = path.join(bench.folder, 'profile', 'gatehouse');
  const { publicId } = await prepareDataFolder(dataDir);
  const registryPath = registryPathOf(publicId);
  const texts: string[] = [];
  for (const one of [...readWorks(bench, registryPath), ...(await publishWorks(bench, registryPath))]) {
    texts.push(await profile(bench, dataDir, one));
  }
  return `${texts.join('\n\n')}\n`;
}

function readWorks(bench: Bench, registryPath: string): ProfiledWork[] {
  return readCases
    .filter((one) => profiledReads.includes(one.key))
    .map((one) => ({
      work: one.work,
      jobFor: async (server) => {
        const { sample } = await sampleOf(server, registryPath + one.path, one);
        return readJob(bench, server, sample, one);
      },
    }));
}

async function publishWorks(bench: Bench, registryPath: string): Promise<ProfiledWork[]> {
  const file = path.join(bench.folder, 'profiled-upload.json');
  await writeLargeUpload(file, sampleManifest('large-upload', '1.0.0'), (bench.options.quick ? 40 : 200) * 1024 * 1024);
  const small = (work: string, connections: number, versionsOf?: string): ProfiledWork => ({
    work,
    jobFor: ({ origin }) => ({
      kind: 'publishes',
      origin,
      registryPath,
      headers,
      namePrefix: versionsOf === undefined ? `profiled-${connections}` : '9.9',
      ...(versionsOf === undefined ? {} : { versionsOf }),
      count: Math.round(400 * bench.options.seconds),
      tarballSize: 20 * 1024,
      connections,
    }),
  });
  return [
    small('publish 20 KB, one after another', 1),
    small('publish 20 KB, eight at once', 8),
    small('publish 20 KB, one after another, to a package of many versions', 1, packageName),
    {
      work: 'publish of a large tarball',
      jobFor: ({ origin }) => ({ kind: 'upload', origin, path: `${registryPath}large-upload`, headers, file }),
    },
    { work: 'start', jobFor: () => undefined },
  ];
}

async function profile(bench: Bench, dataDir: string, { work, jobFor }: ProfiledWork): Promise<string> {
  const folder = path.join(bench.folder, 'cpu-profiles', work.replace(/\W+/g, '-'));
  await mkdir(folder, { recursive: true });
  const server = await startGatehouse({
    dataDir,
    program: bench.options.program,
    nodeFlags: ['--cpu-prof', `--cpu-prof-dir=${folder}`, '--cpu-prof-interval=250'],
  });
  let result;
  try {
    const job = await jobFor(server);
    result = job && (await bench.load.run(job));
  } finally {
    await server.stop();
  }
  const [file] = await readdir(folder);
  if (file === undefined) throw new Error('Node wrote no profile.');
  const text = topFunctions(await readFile(path.join(folder, file), 'utf8'), shown);
  const figure = result ? `${result.perSecond.toFixed(1)}/s while profiled` : `${server.startMs.toFixed(0)} ms`;
  return `${work}: ${figure}\n${text}`;
}
