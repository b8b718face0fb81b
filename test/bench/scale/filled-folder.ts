import path from 'node:path';
import { runCommand } from '../../support/run-command.ts';
import type { BenchProjects } from '../servers/gatehouse.ts';
import type { Filling } from './fill-registry.ts';

/** Makes a data folder with these packages in the public project. */
export async function fillFolder(
  dataDir: string,
  fillings: readonly Omit<Filling, 'projectId'>[],
): Promise<BenchProjects> {
  const script = path.join(import.meta.dirname, 'fill-process.ts');
  const { code, output } = await runCommand(process.execPath, [script, dataDir, JSON.stringify(fillings)], {
    timeLimit: 900_000,
  });
  if (code !== 0) throw new Error(`The data folder could not be filled:\n${output}`);
  return JSON.parse(output) as BenchProjects;
}
