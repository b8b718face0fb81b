import { existsSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join, resolve } from 'node:path';
import { GatehouseError } from '../contract/errors.ts';
import type { Actor } from '../accounts/change.ts';
import { Directory } from '../accounts/directory.ts';
import { createDirectoryServices, type DirectoryServices } from '../accounts/directory-services.ts';
import type { ProjectRecord } from '../accounts/records.ts';
import { createEnvironmentServices, type EnvironmentServices } from '../environments/environment-services.ts';
import { RuleCascade } from '../environments/rule-cascade.ts';
import { Advisories } from '../registry/advisories/advisories.ts';
import { PublishAges } from '../registry/packuments/publish-age.ts';
import { openRegistry } from '../compose.ts';
import { migrate, shippedMigrations } from '../storage/database/migrations.ts';
import { openSqlite } from '../storage/database/sqlite.ts';
import { StartupError } from '../lib/startup-error.ts';
import { SqliteAdvisoryStore } from '../storage/database/stores/advisory-store.ts';
import { SqliteAuditStore } from '../storage/database/stores/audit-store.ts';
import { SqliteDirectoryStore } from '../storage/database/stores/directory-store.ts';
import { SqliteEnvironmentStore } from '../storage/database/stores/environment-store.ts';
import { SqlitePublishAgeStore } from '../storage/database/stores/publish-age-store.ts';
import { WriteQueue } from '../storage/database/write-queue.ts';

/** What commands about people, environments and advisories work with. */
export interface People {
  readonly people: DirectoryServices;
  readonly environments: EnvironmentServices;
  readonly advisories: Advisories;
  readonly publishAges: PublishAges;
}

/**
 * Runs `work` on a data folder, made if it is missing. A folder that a server has open is worked on beside it: SQLite lets both
 * write, and the server notices (storage/outside-changes.ts).
 * @throws StartupError if the folder can't be opened.
 */
export async function withPeople<T>(dataDir: string, work: (people: People) => Promise<T> | T): Promise<T> {
  const opened = await open(dataDir);
  try {
    return await work(opened);
  } finally {
    await opened.close();
  }
}

/** Whoever runs the command owns the data folder, hence may do everything; the audit trail keeps the name in the system. */
export const cliActor: Actor = { userId: null, username: userInfo().username, origin: 'cli', address: null };

/** The project that an argument names by number or path. @throws GatehouseError `project_not_found` that lists what there is. */
export function projectNamed({ people }: People, reference: string): ProjectRecord {
  const project = people.directory.findProject(reference);
  if (project) return project;
  const known = people.directory.allProjects().map((candidate) => candidate.fullPath);
  throw new GatehouseError('project_not_found', `There is no project ${reference}. There are: ${known.join(', ')}.`);
}

async function open(dataDir: string): Promise<People & { close(): Promise<void> }> {
  try {
    const registry = await openRegistry({ dataDir, rootToken: process.env['GATEHOUSE_ROOT_TOKEN'] });
    const { people, environments, npm } = registry;
    return {
      people,
      environments,
      advisories: npm.advisories,
      publishAges: npm.publishAges,
      close: () => registry.close(),
    };
  } catch (error) {
    const file = join(resolve(dataDir), 'gatehouse.db');
    if (!(error instanceof StartupError) || error.failure !== 'dataFolderLocked' || !existsSync(file)) throw error;
    return openBeside(file);
  }
}

function openBeside(databaseFile: string): People & { close(): Promise<void> } {
  const sqlite = openSqlite(databaseFile);
  try {
    migrate(sqlite, shippedMigrations());
    const audit = new SqliteAuditStore(sqlite);
    const unit = new WriteQueue({
      sqlite,
      recordAudit: (at, entry) => audit.append(at, entry),
      announce: () => undefined,
    });
    const directory = new Directory({ store: new SqliteDirectoryStore(sqlite), unit });
    const store = new SqliteEnvironmentStore(sqlite);
    return {
      people: createDirectoryServices(directory, audit, new RuleCascade(directory, store)),
      environments: createEnvironmentServices(directory, store),
      advisories: new Advisories(new SqliteAdvisoryStore(sqlite), unit),
      publishAges: new PublishAges(new SqlitePublishAgeStore(sqlite), unit),
      async close() {
        await unit.idle();
        sqlite.close();
      },
    };
  } catch (error) {
    sqlite.close();
    throw error;
  }
}
