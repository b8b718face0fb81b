import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { format, resolveConfig } from 'prettier';
import { create } from 'tar';
import { GatehouseProcess, rootToken } from './gatehouse-process.ts';
import { send } from './http.ts';
import { makePublishDocument } from './publish-document.ts';

/** Where the data folders of released versions are, each as an archive named by its version. */
export const releasedFolders = 'test/faults/released';
/** The page that says which version writes which format. */
export const formatPage = 'docs/reference/data-format.md';

/** Number of the last schema step of a data folder's database. */
export function schemaOf(folder: string): number {
  const sqlite = new BetterSqlite3(path.join(folder, 'gatehouse.db'), { readonly: true });
  try {
    return sqlite.prepare<[], number>('SELECT max(number) FROM schema_migrations').pluck().get() ?? 0;
  } finally {
    sqlite.close();
  }
}

/** The page with the row of a version as its last, formatted. */
async function withVersion(page: string, version: string, layout: number, schema: number): Promise<string> {
  const rows = /(?<=^\| Gatehouse .*\n\| -.*\n)(?:\|.*\n)*/m;
  const changed = page.replace(rows, (written) => {
    const others = written.split('\n').filter((line) => line !== '' && !line.startsWith(`| ${version} `));
    return `${[...others, `| ${version} | ${layout} | ${schema} |`].join('\n')}\n`;
  });
  return format(changed, { ...(await resolveConfig(formatPage)), parser: 'markdown' });
}

/**
 * Keeps a data folder as this version leaves it, which every later version has to open, and notes its format. Run by `npm run release` in the project's folder.
 * Part of what it holds: @acme/kettle 1.0.0 and 1.1.0, and the protected environment "production", where only the user ann may deploy.
 */
async function keepDataFolder(version: string): Promise<void> {
  const folder = await mkdtemp(path.join(tmpdir(), 'gatehouse-released-'));
  try {
    const server = await GatehouseProcess.start({ dataDir: folder });
    const call = async (method: string, route: string, body: object): Promise<{ id: number }> => {
      const answer = await send(server.origin, method, `/api/v4/${route}`, { token: rootToken, body });
      if (answer.status >= 300) throw new Error(`${method} ${route}: ${answer.status} ${answer.text}`);
      return answer.json<{ id: number }>();
    };
    for (const [number, tag] of [
      ['1.0.0', 'latest'],
      ['1.1.0', 'beta'],
    ] as const) {
      const document = await makePublishDocument({
        name: '@acme/kettle',
        version: number,
        tag,
        files: { 'index.js': `// ${number}\n` },
      });
      await call('PUT', 'projects/1/packages/npm/@acme%2fkettle', document);
    }
    const ann = await call('POST', 'users', {
      username: 'ann',
      name: 'Ann',
      email: 'ann@example.test',
      password: 'correct horse battery',
    });
    await call('POST', 'projects/1/members', { user_id: ann.id, access_level: 30 });
    await call('POST', 'projects/1/protected_environments', {
      name: 'production',
      deploy_access_levels: [{ user_id: ann.id }],
    });
    await server.stop();
    await mkdir(releasedFolders, { recursive: true });
    const file = path.join(releasedFolders, `${version}.tar.gz`);
    const { format: layout } = JSON.parse(await readFile(path.join(folder, 'gatehouse-folder.json'), 'utf8')) as {
      format: number;
    };
    await writeFile(
      formatPage,
      await withVersion(await readFile(formatPage, 'utf8'), version, layout, schemaOf(folder)),
    );
    await create({ cwd: folder, file, gzip: { level: 9 }, portable: true }, ['.']);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

if (import.meta.main) await keepDataFolder(process.argv[2] ?? '');
