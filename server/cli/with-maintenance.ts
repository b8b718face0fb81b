import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { GatehouseError } from '../contract/errors.ts';
import { job as jobSchema } from '../contract/maintenance.ts';
import type { Job } from '../contract/maintenance.ts';
import type { MethodName, MethodParams, MethodResult } from '../contract/methods.ts';
import { callMethod } from '../control/call-method.ts';
import { createMaintenanceMethods } from '../control/maintenance-methods.ts';
import { openRegistry } from '../compose.ts';
import type { OpenRegistry } from '../compose.ts';
import { StartupError } from '../lib/startup-error.ts';
import { connectToServer } from './call-server.ts';
import { cliActor } from './open-people.ts';

type MaintenanceMethod = Extract<MethodName, `maintenance.${string}`>;
type JobMethod = { [M in MaintenanceMethod]: MethodResult<M> extends { job: number } ? M : never }[MaintenanceMethod];

/** The store's maintenance, done by this process or by the server that has the data folder open. */
export interface MaintenanceAccess {
  call<M extends MaintenanceMethod>(method: M, params: MethodParams<M>): Promise<MethodResult<M>>;
  /** Starts a job and resolves when it has ended well. @throws GatehouseError with what went wrong. */
  run<M extends JobMethod>(method: M, params: MethodParams<M>): Promise<Job>;
}

/**
 * Runs `work` on the registry of a data folder; if a server has it open, that server does what is asked.
 * @throws StartupError if the folder can't be opened, GatehouseError `not_found` if there is no registry in it.
 */
export async function withMaintenance<T>(
  dataDir: string,
  work: (maintenance: MaintenanceAccess) => Promise<T>,
): Promise<T> {
  const folder = resolve(dataDir);
  if (!existsSync(join(folder, 'gatehouse.db'))) {
    throw new GatehouseError(
      'not_found',
      `There is no registry in ${folder}. Name its data folder with --data-dir, or start one with "gatehouse serve".`,
    );
  }
  let registry: OpenRegistry;
  try {
    registry = await openRegistry({ dataDir: folder, background: false });
  } catch (error) {
    if (!(error instanceof StartupError) || error.failure !== 'dataFolderLocked') throw error;
    return atServer(folder, work);
  }
  try {
    return await work(here(registry));
  } finally {
    await registry.close();
  }
}

function here(registry: OpenRegistry): MaintenanceAccess {
  const table = createMaintenanceMethods(registry.maintenance, cliActor);
  const call: MaintenanceAccess['call'] = async (method, params) =>
    (await callMethod(table, 'cli', method, params)) as MethodResult<typeof method>;
  registry.events.subscribe((event) => {
    if (event.topic === 'maintenance.progress') showProgress(event.payload);
  });
  return {
    call,
    async run(method, params) {
      const started = (await call(method, params)) as { job: number };
      return settled(await registry.maintenance.jobs.ended(started.job));
    },
  };
}

async function atServer<T>(folder: string, work: (maintenance: MaintenanceAccess) => Promise<T>): Promise<T> {
  const server = await connectToServer(folder);
  const ended = new Map<number, (job: Job) => void>();
  const seen = new Map<number, Job>();
  server.onEvent((topic, payload) => {
    const job = topic === 'maintenance.progress' ? jobSchema.safeParse(payload).data : undefined;
    if (!job) return;
    seen.set(job.id, job);
    showProgress(job);
    if (job.state !== 'running') ended.get(job.id)?.(job);
  });
  try {
    return await work({
      call: (method, params) => server.call(method, params),
      async run(method, params) {
        const { job } = (await server.call(method, params)) as { job: number };
        // It may have ended before its number was known here.
        const known = seen.get(job);
        if (known && known.state !== 'running') return settled(known);
        const end = new Promise<Job>((resolve) => ended.set(job, resolve));
        return settled(await Promise.race([end, server.gone]));
      },
    });
  } finally {
    server.close();
  }
}

function settled(job: Job): Job {
  if (job.state === 'done') return job;
  throw new GatehouseError('unprocessable', job.error ?? 'It was cancelled.');
}

let width = 0;

/** One line that is written over and over, where there is a person to see it. */
function showProgress({ phase, done, total, state }: Job): void {
  if (!process.stderr.isTTY) return;
  const percent = total > 0 ? ` ${Math.floor((100 * done) / total)} %` : '';
  const line = state === 'running' ? `${phase}${percent}` : '';
  process.stderr.write(`\r${line.padEnd(width)}${state === 'running' ? '' : '\r'}`);
  width = line.length;
}
