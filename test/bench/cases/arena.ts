import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { request } from 'undici';
import type { Bench } from '../bench.ts';
import type { RequestSample } from '../measure/load-job.ts';
import { startBare } from '../servers/bare.ts';
import type { BareRoute } from '../servers/bare.ts';
import { prepareDataFolder, registryPathOf, rootToken, startGatehouse } from '../servers/gatehouse.ts';
import type { BenchProjects } from '../servers/gatehouse.ts';
import type { ServerProcess } from '../servers/server-process.ts';
import { installVerdaccio, prepareVerdaccio, startVerdaccio, verdaccioToken } from '../servers/verdaccio.ts';

/** Gatehouse and Verdaccio side by side, with a way to publish to each. */
export interface Arena {
  readonly gatehouse: ServerProcess;
  readonly verdaccio: ServerProcess;
  readonly projects: BenchProjects;
  /** Paths of the registries, with a trailing slash. */
  readonly publicPath: string;
  readonly privatePath: string;
  readonly verdaccioPath: string;
  readonly gatehouseHeaders: Readonly<Record<string, string>>;
  readonly verdaccioHeaders: Readonly<Record<string, string>>;
  stop(): Promise<void>;
}

/** Starts both on new folders below the bench's. */
export async function openArena(bench: Bench, name: string): Promise<Arena> {
  const folder = path.join(bench.folder, name);
  const dataDir = path.join(folder, 'gatehouse');
  const verdaccioFolder = path.join(folder, 'verdaccio');
  await mkdir(dataDir, { recursive: true });
  const verdaccioProgram = await installVerdaccio();
  await prepareVerdaccio(verdaccioFolder);
  const projects = await prepareDataFolder(dataDir);
  const started: ServerProcess[] = [];
  const stop = async (): Promise<void> => {
    await Promise.all(started.map((server) => server.stop()));
  };
  try {
    const gatehouse = await startGatehouse({ dataDir, program: bench.options.program });
    started.push(gatehouse);
    const verdaccio = await startVerdaccio(verdaccioProgram, verdaccioFolder);
    started.push(verdaccio);
    return {
      gatehouse,
      verdaccio,
      projects,
      publicPath: registryPathOf(projects.publicId),
      privatePath: registryPathOf(projects.privateId),
      verdaccioPath: '/',
      gatehouseHeaders: { authorization: `Bearer ${rootToken}` },
      verdaccioHeaders: { authorization: `Bearer ${await verdaccioToken(verdaccio.origin)}` },
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Publishes versions of one package to both servers, and to the private project. */
export async function publishToAll(
  bench: Bench,
  arena: Arena,
  what: { name: string; versions: number; tarballSize: number },
): Promise<void> {
  const targets = [
    { server: arena.gatehouse, registryPath: arena.publicPath, headers: arena.gatehouseHeaders },
    { server: arena.gatehouse, registryPath: arena.privatePath, headers: arena.gatehouseHeaders },
    { server: arena.verdaccio, registryPath: arena.verdaccioPath, headers: arena.verdaccioHeaders },
  ];
  for (const { server, registryPath, headers } of targets) {
    await bench.load.run({
      kind: 'publishes',
      origin: server.origin,
      registryPath,
      headers,
      namePrefix: '1.0',
      versionsOf: what.name,
      count: what.versions,
      tarballSize: what.tarballSize,
      connections: 1,
    });
  }
}

export interface FetchedAnswer {
  readonly body: Buffer;
  readonly etag: string;
  readonly type: string;
  readonly encoding: string;
}

/** One answer in full. @throws Error if it is not 200. */
export async function fetchAnswer(origin: string, sample: RequestSample): Promise<FetchedAnswer> {
  const { statusCode, headers, body } = await request(origin + sample.path, { headers: { ...sample.headers } });
  const bytes = Buffer.from(await body.arrayBuffer());
  if (statusCode !== 200) throw new Error(`${sample.path} answered ${statusCode}: ${bytes.toString().slice(0, 400)}`);
  const header = (name: string): string => String(headers[name] ?? '');
  return {
    body: bytes,
    etag: header('etag'),
    type: header('content-type'),
    encoding: header('content-encoding') || 'identity',
  };
}

/** Starts the bare server with answers of Gatehouse: each under its key as path, from memory or, where said, from disk. */
export async function startBareLike(
  bench: Bench,
  answers: ReadonlyMap<string, { answer: FetchedAnswer; from: BareRoute['from'] }>,
): Promise<ServerProcess> {
  const folder = path.join(bench.folder, 'bare');
  await mkdir(folder, { recursive: true });
  const routes: BareRoute[] = [];
  for (const [key, { answer, from }] of answers) {
    const file = path.join(folder, `answer-${routes.length}`);
    await writeFile(file, answer.body);
    routes.push({ path: `/${key}`, file, size: answer.body.length, type: answer.type, etag: answer.etag, from });
  }
  return startBare(folder, routes);
}
