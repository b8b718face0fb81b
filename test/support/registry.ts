import { rmSync } from 'node:fs';
import { mkdtemp, readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import type { MemberLevel, Visibility } from '../../server/contract/levels.ts';
import { createDirectoryServices } from '../../server/accounts/directory-services.ts';
import type { DirectoryServices } from '../../server/accounts/directory-services.ts';
import { systemActor } from '../../server/accounts/change.ts';
import type { Actor } from '../../server/accounts/change.ts';
import type { TokenScope } from '../../server/accounts/access/principal.ts';
import type { ProjectRecord, UserRecord } from '../../server/accounts/records.ts';
import type { HostPolicy } from '../../server/http/caller.ts';
import { listen } from '../../server/http/listen.ts';
import { openControl } from '../../server/serve.ts';
import type { RunningServer } from '../../server/services.ts';
import { openRegistry } from '../../server/compose.ts';
import type { OpenOptions, OpenRegistry } from '../../server/compose.ts';
import { rootToken } from './gatehouse-process.ts';
import { send } from './http.ts';
import type { Answer, RequestOptions } from './http.ts';
import { makePublishDocument } from './publish-document.ts';
import type { PublishInput } from './publish-document.ts';

const rootActor: Actor = { userId: 1, username: 'root', origin: 'cli', address: null };

export { rootToken };

/** The ports of the registries that tests of this process have started. */
export const testPorts = new Set<number>();

export interface TestRegistryOptions extends Partial<Omit<OpenOptions, 'dataDir'>> {
  readonly hosts?: Partial<HostPolicy>;
  /** The address to listen on in the place of 127.0.0.1. */
  readonly host?: string;
  readonly dataDir?: string;
}

export interface TestUser {
  readonly user: UserRecord;
  /** A token with scope `api`. */
  readonly token: string;
}

/** A registry that really listens on a port of 127.0.0.1, with a data folder of its own that is deleted at the end. */
export class TestRegistry {
  readonly dataDir: string;
  registry: OpenRegistry;
  server: RunningServer;
  /** What a user's action in the directory would do, without HTTP in between. */
  directory: DirectoryServices;
  readonly #options: TestRegistryOptions;
  #people = 0;
  #projects = 0;

  static async start(options: TestRegistryOptions = {}): Promise<TestRegistry> {
    const dataDir = options.dataDir ?? (await mkdtemp(join(tmpdir(), 'gatehouse-test-')));
    const { registry, server } = await open(dataDir, options);
    return new TestRegistry(dataDir, options, registry, server);
  }

  private constructor(dataDir: string, options: TestRegistryOptions, registry: OpenRegistry, server: RunningServer) {
    this.dataDir = dataDir;
    this.#options = options;
    this.registry = registry;
    this.server = server;
    this.directory = servicesOf(registry);
  }

  get origin(): string {
    return `http://127.0.0.1:${this.server.port}`;
  }

  /** Address of a project's npm registry below the origin, without a trailing slash. */
  projectPath(projectId: number | string = 1): string {
    return `/api/v4/projects/${typeof projectId === 'number' ? projectId : encodeURIComponent(projectId)}/packages/npm`;
  }

  groupPath(groupId: number | string): string {
    return `/api/v4/groups/${typeof groupId === 'number' ? groupId : encodeURIComponent(groupId)}/-/packages/npm`;
  }

  readonly instancePath = '/api/v4/packages/npm';

  /** A request with root's token unless another, or `token: undefined` for none, is given. The path is sent as it is. */
  send(method: string, path: string, options: RequestOptions = {}): Promise<Answer> {
    return send(this.origin, method, path, { token: rootToken, ...options });
  }

  get(path: string, options: RequestOptions = {}): Promise<Answer> {
    return this.send('GET', path, options);
  }

  /** Publishes a package to a project as npm would; fails the test if that is refused. */
  async publish(input: PublishInput & { readonly projectId?: number; readonly token?: string }): Promise<Answer> {
    const { projectId = 1, token = rootToken } = input;
    const answer = await this.send('PUT', `${this.projectPath(projectId)}/${encodeName(input.name)}`, {
      token,
      body: await makePublishDocument(input),
    });
    if (answer.status !== 200) throw new Error(`Publish refused with ${answer.status}: ${answer.text}`);
    return answer;
  }

  /** A user with an `api` token. */
  async user(
    options: {
      username?: string;
      isAdmin?: boolean;
      external?: boolean;
      password?: string;
      scopes?: readonly TokenScope[];
    } = {},
  ): Promise<TestUser> {
    this.#people += 1;
    const username = options.username ?? `user${this.#people}`;
    const user = await this.directory.users.create(systemActor, {
      username,
      name: `User ${username}`,
      email: `${username}@example.test`,
      password: options.password ?? null,
      isAdmin: options.isAdmin ?? false,
      external: options.external ?? false,
    });
    return { user, token: await this.token(user.id, options.scopes) };
  }

  /** Secret of a new token. */
  async token(
    userId: number,
    scopes: readonly TokenScope[] = ['api'],
    expiresOn: string | null = null,
  ): Promise<string> {
    const input = { userId, name: 'test', description: '', scopes, expiresOn };
    return (await this.directory.tokens.create(systemActor, input)).secret;
  }

  /** A project, in the group `local` unless another namespace is given. */
  async project(
    options: { path?: string; namespaceId?: number; visibility?: Visibility } = {},
  ): Promise<ProjectRecord> {
    this.#projects += 1;
    const path = options.path ?? `project${this.#projects}`;
    return this.directory.projects.create(rootActor, {
      name: path,
      path,
      namespaceId: options.namespaceId ?? 1,
      description: '',
      visibility: options.visibility ?? 'private',
    });
  }

  async member(projectId: number, userId: number, level: MemberLevel): Promise<void> {
    const container = { kind: 'project', id: projectId } as const;
    await this.directory.members.add(systemActor, container, { userId, level, expiresOn: null });
  }

  /** What uploads under way have left in the data folder; empty whenever nothing is under way. */
  temporaryFiles(): Promise<string[]> {
    return readdir(this.registry.folder.temporary);
  }

  /** Digests of the tarballs on disk. */
  async storedTarballs(): Promise<string[]> {
    const found: string[] = [];
    for await (const sha512 of this.registry.packages.tarballs.list()) found.push(sha512);
    return found;
  }

  /** Closes everything and opens the same data folder again, on another port. */
  async restart(): Promise<void> {
    await this.#close();
    const { registry, server } = await open(this.dataDir, this.#options);
    this.registry = registry;
    this.server = server;
    this.directory = servicesOf(registry);
  }

  async stop(): Promise<void> {
    await this.#close();
    if (this.#options.dataDir === undefined) rmSync(this.dataDir, { recursive: true, force: true });
  }

  async #close(): Promise<void> {
    await this.server.stop(1000);
    await this.registry.close();
  }
}

/** A package name as npm puts it into a path: the slash of the scope encoded, in lower case. */
export function encodeName(name: string): string {
  return name.replace('/', '%2f');
}

async function open(
  dataDir: string,
  options: TestRegistryOptions,
): Promise<{ registry: OpenRegistry; server: RunningServer }> {
  const { hosts, host = '127.0.0.1', dataDir: _dataDir, ...rest } = options;
  const registry = await openRegistry({ rootToken, ...rest, dataDir });
  const server = await listen({
    registry,
    log: pino({ level: process.env['GATEHOUSE_TEST_LOG'] ?? 'silent' }),
    host,
    port: 0,
    hosts: { allowedHosts: [], trustProxy: false, externalUrl: null, ...hosts },
  });
  testPorts.add(server.port);
  const { socket } = await openControl(registry, server);
  const stop = async (grace: number): Promise<void> => {
    await server.stop(grace);
    await socket?.close();
  };
  return { registry, server: { ...server, stop } };
}

function servicesOf(registry: OpenRegistry): DirectoryServices {
  const nothing = (): void => undefined;
  return createDirectoryServices(registry.directory, registry.audit, {
    projectMemberRemoved: () => false,
    projectShareRemoved: nothing,
    userDeleted: nothing,
    groupDeleted: nothing,
  });
}
