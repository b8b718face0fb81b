import { constants, cpSync, statfsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setImmediate as nextImmediate } from 'node:timers/promises';
import { newTokenSecret } from '../accounts/login/token-secret.ts';
import { openRegistry } from '../compose.ts';
import type { OpenRegistry } from '../compose.ts';
import { listen } from '../http/listen.ts';
import type { RunningServer } from '../services.ts';
import { openSqlite } from '../storage/database/sqlite.ts';
import { MetaStore } from '../storage/database/stores/meta-store.ts';
import type * as api from './api.ts';
import { parsePublish, parseStartOptions } from './options.ts';
import type { StartSettings } from './options.ts';
import { publishDocument } from './package-source.ts';
import { RegistryClient } from './registry-client.ts';
import { issueToken, projectId, seed } from './seed.ts';

/** Milliseconds that requests under way get when the registry closes. */
const closingGrace = 1_000;

/** Bytes that must be free in memory: several times what the packages of tests take. */
const wantedMemory = 1024 ** 3;
/** The type of a file system in memory, as the kernel numbers it. */
const tmpfs = 0x01_02_19_94;

/** See `api.ts`. */
export const startRegistry: typeof api.startRegistry = async (options = {}) => {
  const settings = parseStartOptions(options);
  const temporary =
    settings.dataDir === undefined ? await mkdtemp(path.join(temporaryFolder(), 'gatehouse-registry-')) : undefined;
  const running = new Running(temporary);
  try {
    return await running.start(settings);
  } catch (error) {
    await running.close();
    throw error;
  }
};

/**
 * Where registries are that are not kept: in memory where Linux offers enough of it, since each write is synced, which takes a disk
 * milliseconds. `TMPDIR` names another folder.
 */
function temporaryFolder(): string {
  if (process.env['TMPDIR'] || process.platform !== 'linux') return tmpdir();
  try {
    const { type, bavail, bsize } = statfsSync('/dev/shm');
    return type === tmpfs && bavail * bsize > wantedMemory ? '/dev/shm' : tmpdir();
  } catch {
    return tmpdir();
  }
}

/** A registry of this process, from its start to its end. */
class Running {
  /** Folder of the states, all of which are deleted at the end; undefined if the registry has a folder of its own. */
  readonly #temporary: string | undefined;
  #registry: OpenRegistry | undefined;
  #server: RunningServer | undefined;
  #client: RegistryClient | undefined;
  #states = 0;
  /** The state of the next reset, opened ahead: opening one takes longer than anything else that a reset does. */
  #next: Promise<OpenRegistry> | undefined;
  /** The last reset, and what former states still do. */
  #resetting: Promise<void> = Promise.resolve();
  readonly #retiring = new Set<Promise<void>>();
  #closed: Promise<void> | undefined;

  constructor(temporary: string | undefined) {
    this.#temporary = temporary;
  }

  async start(settings: StartSettings): Promise<api.EmbeddedRegistry> {
    const token = settings.token ?? newTokenSecret();
    const registry = await openRegistry({ dataDir: settings.dataDir ?? this.#template, rootToken: token });
    this.#registry = registry;
    const server = await listen({
      registry,
      log: { error: (facts, message) => process.emitWarning(`Gatehouse: ${message} ${JSON.stringify(facts)}`) },
      host: '127.0.0.1',
      port: settings.port,
      hosts: { allowedHosts: [], trustProxy: false, externalUrl: null },
    });
    this.#server = server;
    const apiUrl = `http://127.0.0.1:${server.port}/api/v4`;
    const url = `${apiUrl}/projects/${projectId}/packages/npm/`;
    const client = new RegistryClient(url);
    this.#client = client;
    const isKnown = registry.isNew || settings.token !== undefined;
    const rootToken = isKnown ? token : await issueToken(registry, 1);
    const tokens = await seed(registry, settings);
    for (const source of settings.packages) {
      const document = await publishDocument(source);
      const present = registry.isNew ? undefined : await client.packument(document.name, rootToken);
      if (present?.versions[document.version] === undefined) await client.publish(document, rootToken);
    }
    if (this.#temporary !== undefined) await this.#keepTemplate(registry, server);
    const npmrcOf = (secret: string): string => `registry=${url}\n${url.replace(/^http:/, '')}:_authToken=${secret}\n`;
    return {
      url,
      apiUrl,
      token: rootToken,
      npmrc: npmrcOf(rootToken),
      users: Object.fromEntries(
        Object.entries(tokens).map(([name, secret]) => [name, { token: secret, npmrc: npmrcOf(secret) }]),
      ),
      publish: async (source, options = {}) => {
        const given = parsePublish(source, options);
        const document = await publishDocument(given.source, given.options.tag);
        return client.publish(document, given.options.token ?? rootToken);
      },
      packument: (name) => client.packument(name, rootToken),
      reset: () => this.#reset(),
      close: () => this.close(),
    };
  }

  /** Ends what was started, also by a start that failed. */
  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  async #close(): Promise<void> {
    await this.#resetting.catch(() => undefined);
    await this.#client?.close();
    await this.#server?.stop(closingGrace);
    await this.#registry?.close();
    await this.#next?.then(
      (next) => next.close(),
      () => undefined,
    );
    await Promise.all(this.#retiring);
    if (this.#temporary !== undefined) await rm(this.#temporary, { recursive: true, force: true, maxRetries: 3 });
  }

  get #template(): string {
    return path.join(this.#temporary ?? '', 'template');
  }

  /** Closes the first state, of which each further one is a copy, and goes on with a copy. */
  async #keepTemplate(registry: OpenRegistry, server: RunningServer): Promise<void> {
    const { databaseFile } = registry.folder;
    await registry.close();
    const sqlite = openSqlite(databaseFile);
    new MetaStore(sqlite).forgetEpoch();
    sqlite.close();
    this.#registry = await this.#openCopy();
    await server.replaceRegistry(this.#registry);
    this.#openAhead();
  }

  #openAhead(): void {
    // Later, so that it does not hold up who waits for what was done before.
    this.#next = nextImmediate().then(() => this.#openCopy());
    // Its fault is that of the reset that takes it.
    this.#next.catch(() => undefined);
  }

  async #openCopy(): Promise<OpenRegistry> {
    this.#states += 1;
    const folder = path.join(this.#temporary ?? '', `state-${this.#states}`);
    // A tenth of the time of the asynchronous one, for the few files of such a folder.
    cpSync(this.#template, folder, { recursive: true, mode: constants.COPYFILE_FICLONE });
    return openRegistry({ dataDir: folder });
  }

  #reset(): Promise<void> {
    if (this.#temporary === undefined) {
      return Promise.reject(new Error('A registry with dataDir keeps its packages: start one without it to reset it.'));
    }
    const after = this.#resetting.catch(() => undefined).then(() => this.#replace());
    this.#resetting = after;
    return after;
  }

  async #replace(): Promise<void> {
    const [former, server, opening] = [this.#registry, this.#server, this.#next];
    if (this.#closed || !former || !server || !opening) throw new Error('The registry is closed.');
    const next = await opening.finally(() => this.#openAhead());
    this.#registry = next;
    const retired = server
      .replaceRegistry(next)
      .then(() => former.close())
      .then(() => rm(former.folder.path, { recursive: true, force: true, maxRetries: 3 }))
      .finally(() => this.#retiring.delete(retired));
    this.#retiring.add(retired);
    // A fault is reported by `close`, which waits for it.
    retired.catch(() => undefined);
  }
}
