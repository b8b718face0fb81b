import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { extract } from 'tar';
import { oldestNode } from '../../server/contract/node-version.ts';
import { cacheFolder } from './cache-folder.ts';
import { runOrThrow } from './run-command.ts';
import { plainEnvironment } from './server-process.ts';

/** Path of the oldest Node that Gatehouse says it runs on. */
export function oldestNodePath(): Promise<string> {
  return nodePath(oldestNode);
}

/** Path of a release of Node; downloads it (40 MB) from the npm registry if it is not in the cache. */
export async function nodePath(version: string): Promise<string> {
  const platform = `${process.platform}-${process.arch}`;
  const folder = path.join(cacheFolder, `node-${version}-${platform}`);
  const program = path.join(folder, 'bin/node');
  if (existsSync(program)) return program;
  await mkdir(cacheFolder, { recursive: true });
  // Prepared beside its place and renamed, so that an interrupted run leaves nothing that looks complete.
  const workspace = await mkdtemp(`${folder}-`);
  try {
    const options = { cwd: workspace, env: plainEnvironment(), timeLimit: 300_000 };
    await runOrThrow('npm', ['pack', '--silent', `node-${platform}@${version}`], options);
    const tarball = path.join(workspace, (await readdir(workspace)).find((name) => name.endsWith('.tgz')) ?? '');
    await extract({ file: tarball, cwd: workspace, strip: 1, filter: (name) => name.startsWith('package/bin/') });
    await rm(tarball);
    await rename(workspace, folder);
  } finally {
    await rm(workspace, { recursive: true, force: true });
  }
  return program;
}
