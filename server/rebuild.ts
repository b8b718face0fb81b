import { readFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import type { NamespaceRecord, ProjectRecord } from './accounts/records.ts';
import type { Actor } from './accounts/change.ts';
import { openRegistryIn } from './compose.ts';
import type { OpenRegistry } from './compose.ts';
import { GatehouseError } from './contract/errors.ts';
import { putDatabase } from './storage/care/recover.ts';
import { rebuildVersions } from './storage/care/rebuild-versions.ts';
import type { RebuiltVersions } from './storage/care/rebuild-versions.ts';
import { openDataFolder } from './storage/data-folder.ts';

export interface RebuildOptions {
  readonly dataDir: string;
  /** Full path of the project that gets all versions; made if it is missing. */
  readonly project: string;
  readonly actor: Actor;
  readonly onProgress: (done: number, total: number) => void;
}

export interface RebuildReport extends RebuiltVersions {
  readonly project: string;
  readonly rootTokenFile: string;
  readonly rootToken: string;
  /** Folder with what was left of the former database. */
  readonly quarantine: string;
}

/**
 * Makes a new registry out of the tarballs of a data folder whose database is lost. It is made beside and put in place when it is whole:
 * until then the folder stays one that no server opens, so that a rebuild that was killed can be repeated. Deletes nothing.
 * @throws StartupError as `openDataFolder`, GatehouseError `not_found` if no version can be rebuilt and `invalid_request` for the path of
 * the project; then the folder is as it was.
 */
export async function rebuildRegistry(options: RebuildOptions): Promise<RebuildReport> {
  const { dataDir, actor, onProgress } = options;
  const folder = openDataFolder(dataDir, { database: 'rebuild' });
  try {
    const databaseFile = join(folder.temporary, 'gatehouse.db');
    const rootTokenFile = join(folder.temporary, 'initial_root_token');
    const registry = await openRegistryIn(
      { ...folder, databaseFile, rootTokenFile, release: () => undefined },
      { dataDir, rootToken: process.env['GATEHOUSE_ROOT_TOKEN'], background: false },
    );
    let project: ProjectRecord;
    let rebuilt: RebuiltVersions;
    try {
      const { unitOfWork, packages } = registry;
      project = await requireProject(registry, options);
      const deps = { folder, unitOfWork, publisher: packages.publisher, limits: packages.limits };
      rebuilt = await rebuildVersions(deps, project, actor, onProgress);
      requireAny(rebuilt);
    } finally {
      await registry.close();
    }
    // What could not be rebuilt must not count as left by a crash, which a sweep deletes.
    folder.settleCrash();
    const rootToken = readFileSync(rootTokenFile, 'utf8').trim();
    renameSync(rootTokenFile, folder.rootTokenFile);
    const quarantine = await putDatabase(folder, databaseFile);
    return { ...rebuilt, project: project.fullPath, rootTokenFile: folder.rootTokenFile, rootToken, quarantine };
  } finally {
    folder.release();
  }
}

async function requireProject(
  { directory, people }: OpenRegistry,
  { project: fullPath, actor }: RebuildOptions,
): Promise<ProjectRecord> {
  const found = directory.findProject(fullPath);
  if (found) return found;
  const paths = fullPath.split('/');
  const last = paths.pop() ?? '';
  if (paths.length === 0) {
    throw new GatehouseError('invalid_request', `"${fullPath}" is not the path of a project: write GROUP/PROJECT.`);
  }
  const visibility = 'private' as const;
  let group: NamespaceRecord | undefined;
  for (const [index, path] of paths.entries()) {
    const input = { name: path, path, parentId: group?.id ?? null, description: '', visibility };
    group = directory.findGroup(paths.slice(0, index + 1).join('/')) ?? (await people.groups.create(actor, input));
  }
  const input = { name: last, path: last, namespaceId: group?.id ?? 0, description: '', visibility };
  return people.projects.create(actor, input);
}

function requireAny({ versions, skipped }: RebuiltVersions): void {
  if (versions > 0) return;
  const [first] = skipped;
  throw new GatehouseError(
    'not_found',
    `None of the ${skipped.length} files in "tarballs" is a tarball that can be rebuilt; nothing was changed.${first ? ` The first is ${first.path}: ${first.reason}` : ''}`,
  );
}
