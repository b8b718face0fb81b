import { resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { ProjectSummary, UserDetail } from '../contract/directory.ts';
import { GatehouseError } from '../contract/errors.ts';
import type { Job } from '../contract/maintenance.ts';
import type { MethodName, MethodParams, MethodResult } from '../contract/methods.ts';
import type { Upstream } from '../contract/upstream.ts';
import { asGatehouseError, explainDataError } from '../lib/file-error.ts';
import { openClient } from '../open-client.ts';
import type { ControlClient } from '../open-client.ts';
import { recogniseFolder } from '../storage/folder-marker.ts';
import { showProgress, showStep } from './terminal.ts';

type JobMethod = { [M in MethodName]: MethodResult<M> extends { job: number } ? M : never }[MethodName];

/** The registry of a data folder, for one command. */
export class CommandRegistry {
  /** @throws GatehouseError of the method. */
  readonly call: ControlClient['call'];
  readonly #client: ControlClient;

  constructor(client: ControlClient) {
    this.#client = client;
    this.call = client.call;
  }

  /** Whether a server carries the methods out, and goes on after this process has ended. */
  get isServed(): boolean {
    return this.#client.isServed;
  }

  /**
   * Starts a job, shows its progress and resolves when it is done.
   * @param stop cancels it
   * @throws GatehouseError with what went wrong.
   */
  async run<M extends JobMethod>(method: M, params: MethodParams<M>, stop?: AbortSignal): Promise<Job> {
    // A job may end before its number is known here.
    const ended = new Map<number, Job>();
    let onEnded = (): void => undefined;
    this.#client.onJob((job) => {
      showJob(job);
      if (job.state === 'running') return;
      ended.set(job.id, job);
      onEnded();
    });
    const { job: id } = (await this.call(method, params)) as { job: number };
    const cancel = (): void => void this.call('maintenance.cancel', { job: id }).catch(() => undefined);
    if (stop?.aborted) cancel();
    else stop?.addEventListener('abort', cancel);
    while (!ended.has(id)) {
      await Promise.race([new Promise<void>((done) => (onEnded = done)), this.#client.closed]);
    }
    const job = ended.get(id);
    if (job?.state === 'done') return job;
    throw new GatehouseError('unprocessable', job?.error ?? 'It was cancelled.');
  }

  /** @param reference number or path. @throws GatehouseError `project_not_found` that lists the projects. */
  async project(reference: string): Promise<ProjectSummary> {
    const projects = await this.call('directory.projects', {});
    const found = projects.find(({ id, fullPath }) => String(id) === reference || isSame(fullPath, reference));
    if (found) return found;
    const known = projects.map(({ fullPath }) => fullPath);
    throw new GatehouseError('project_not_found', `There is no project ${reference}. There are: ${known.join(', ')}.`);
  }

  /** @throws GatehouseError `user_not_found`. */
  async user(username: string): Promise<UserDetail> {
    const found = (await this.call('directory.users', { search: username })).find((user) =>
      isSame(user.username, username),
    );
    if (!found) throw new GatehouseError('user_not_found', `There is no user ${username}.`);
    return found;
  }

  /** @param reference name or number. @throws GatehouseError `not_found` that lists the upstreams. */
  async upstream(reference: string): Promise<Upstream> {
    const { upstreams } = await this.call('upstream.list', {});
    const found = upstreams.find(({ id, name }) => String(id) === reference || isSame(name, reference));
    if (found) return found;
    const known = upstreams.map(({ name }) => name).join(', ');
    throw new GatehouseError(
      'not_found',
      `There is no upstream "${reference}"${known === '' ? '. Add one with "gatehouse upstream add".' : `; there are ${known}.`}`,
    );
  }
}

/**
 * Runs `work` on the registry of a data folder. A server that holds the folder carries out the calls.
 * @param options.mayCreate lets a command that writes create the registry; all others refuse a folder without one and leave it as it is
 * @throws StartupError if the folder can't be opened, GatehouseError `not_found` if there is no registry and one must exist.
 */
export async function withRegistry<T>(
  options: { readonly dataDir: string; readonly mayCreate?: boolean },
  work: (registry: CommandRegistry) => Promise<T>,
): Promise<T> {
  const folder = resolve(options.dataDir);
  if (options.mayCreate) recogniseFolder(folder);
  else requireRegistry(folder);
  const client = await openClient(folder);
  try {
    try {
      return await work(new CommandRegistry(client));
    } finally {
      await client.close();
    }
  } catch (error) {
    const fault = explainDataError(error, folder);
    throw fault === undefined ? error : new GatehouseError(asGatehouseError(error).code, fault);
  }
}

/** @throws GatehouseError `not_found` if there is no registry in a folder; StartupError as `recogniseFolder`. */
export function requireRegistry(dataDir: string): void {
  const folder = resolve(dataDir);
  if (recogniseFolder(folder) === 'registry') return;
  throw new GatehouseError(
    'not_found',
    `There is no registry in ${folder}. Name its data folder with --data-dir, or start one with "gatehouse serve".`,
  );
}

/** Calls `poll` until it answers something else than undefined. */
export async function pollUntil<T>(poll: () => Promise<T | undefined>): Promise<T> {
  for (;;) {
    const answer = await poll();
    if (answer !== undefined) return answer;
    await delay(150);
  }
}

function isSame(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase();
}

function showJob({ phase, done, total, state }: Job): void {
  if (state === 'running') showStep(phase, done, total);
  else showProgress('');
}
