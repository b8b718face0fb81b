import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { GatehouseProcess } from '../../support/gatehouse-process.ts';
import { seed } from './seed.ts';
import type { SeededPeople } from './seed.ts';

/**
 * The registry as people run it headless: a process of its own with an empty data folder, filled with the people and projects of
 * `seed.ts`.
 */
export class Gatehouse {
  readonly origin: string;
  readonly people: SeededPeople;
  /** A folder for whatever the test makes; deleted with the data folder. */
  readonly workFolder: string;
  readonly dataDir: string;
  readonly #server: GatehouseProcess;

  static async start(): Promise<Gatehouse> {
    const folder = await mkdtemp(path.join(tmpdir(), 'gatehouse-clients-'));
    const dataDir = path.join(folder, 'data');
    const people = await seed(dataDir);
    const server = await GatehouseProcess.start({ dataDir, rootToken: people.root.token });
    return new Gatehouse(folder, people, server);
  }

  private constructor(workFolder: string, people: SeededPeople, server: GatehouseProcess) {
    this.workFolder = workFolder;
    this.dataDir = path.join(workFolder, 'data');
    this.people = people;
    this.#server = server;
    this.origin = server.announcedOrigin;
  }

  /** Registry address of a project, as it stands in an `.npmrc`. */
  projectRegistry(project: number | string = 1): string {
    return `${this.origin}/api/v4/projects/${encodeURIComponent(project)}/packages/npm/`;
  }

  groupRegistry(group: number | string): string {
    return `${this.origin}/api/v4/groups/${encodeURIComponent(group)}/-/packages/npm/`;
  }

  get instanceRegistry(): string {
    return `${this.origin}/api/v4/packages/npm/`;
  }

  /** The full packument as the registry has it, asked without any client's cache; undefined if there is none. */
  async packument(name: string, project: number | string = 1): Promise<Packument | undefined> {
    const answer = await this.fetch(`${this.projectRegistry(project)}${name.replace('/', '%2f')}`);
    return answer.status === 404 ? undefined : ((await answer.json()) as Packument);
  }

  /** A request as root. */
  fetch(url: string, init: { method?: string; body?: string } = {}): Promise<Response> {
    return fetch(url, { ...init, headers: { authorization: `Bearer ${this.people.root.token}` } });
  }

  /** Runs `gatehouse connect` for a folder, beside the running server. @returns what it printed */
  async connect(folder: string, ...options: string[]): Promise<string> {
    const cli = path.join(import.meta.dirname, '../../../server/cli/main.ts');
    const command = [cli, 'connect', '--data-dir', this.dataDir, '--dir', folder, ...options];
    return (await promisify(execFile)(process.execPath, command, { timeout: 60_000 })).stdout;
  }

  /** Ends the server as a person would, and deletes all that it and the test wrote. */
  async stop(): Promise<void> {
    const { code, stderr } = await this.#server.stop();
    await rm(this.workFolder, { recursive: true, force: true, maxRetries: 3 });
    if (code !== 0) throw new Error(`The server ended with ${code}, not with 0: ${stderr}`);
  }
}

export interface Packument {
  readonly name: string;
  readonly _rev: string;
  readonly 'dist-tags': Readonly<Record<string, string>>;
  readonly versions: Readonly<Record<string, PackumentVersion>>;
  readonly time: Readonly<Record<string, string>>;
  readonly users?: Readonly<Record<string, boolean>>;
  readonly maintainers?: readonly { readonly name: string; readonly email?: string }[];
  readonly readme?: string;
}

export interface PackumentVersion {
  readonly name: string;
  readonly version: string;
  readonly deprecated?: string;
  readonly dist: {
    readonly tarball: string;
    readonly integrity: string;
    readonly shasum: string;
    readonly attestations?: { readonly url: string };
  };
  readonly [field: string]: unknown;
}
