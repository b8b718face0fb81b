import { execFile } from 'node:child_process';
import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { build } from 'vite';
import { oldestNode } from '../server/contract/node-version.ts';
import { forNode, migrations, projectFolder } from './build.ts';
import { thirdPartyNotices } from './third-party-notices.ts';

const output = path.join(projectFolder, 'dist');
const folder = path.join(output, 'npm');
/** Below the folder of the server. */
const sqliteFolder = 'better-sqlite3';

/** Types of the entries; they stand beside them under the same name, where TypeScript looks for them. */
const declarations = {
  'index.d.ts': "export type * from './api.js';\nexport { startRegistry } from './api.js';\n",
  'vitest.d.ts': "export { useRegistry } from './api.js';\n",
  'node-test.d.ts': "export { useRegistry } from './api.js';\n",
};

interface ProjectManifest {
  readonly version: string;
  readonly license: string;
}

/**
 * Makes `dist/gatehouse-VERSION.tgz`, the package for npm: the bundled server with its command and its programmatic interface. Nothing of
 * Electron is in it, and nothing is built where it is installed.
 * @returns the path of the tarball
 */
export async function packNpm(): Promise<string> {
  const project = JSON.parse(await readFile(path.join(projectFolder, 'package.json'), 'utf8')) as ProjectManifest;
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const modules = [...(await bundle()), await vendorSqlite()];
  await writeFile(path.join(folder, 'THIRD-PARTY-NOTICES.md'), `${thirdPartyNotices(modules)}\n`);
  await writeFile(path.join(folder, 'package.json'), `${JSON.stringify(manifestOf(project), null, 2)}\n`);
  await cp(path.join(projectFolder, 'LICENSE'), path.join(folder, 'LICENSE'));
  await cp(path.join(projectFolder, 'docs/npm-readme.md'), path.join(folder, 'README.md'));
  await cp(path.join(projectFolder, migrations), path.join(folder, 'server/migrations'), { recursive: true });
  for (const [file, text] of Object.entries(declarations)) await writeFile(path.join(folder, 'server', file), text);
  await cp(path.join(projectFolder, 'server/embed/api.ts'), path.join(folder, 'server/api.d.ts'));
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
  await promisify(execFile)(npm, ['pack', '--ignore-scripts', '--pack-destination', output], {
    cwd: folder,
    shell: process.platform === 'win32',
  });
  return path.join(output, `gatehouse-${project.version}.tgz`);
}

/** Bundles the server; answers the modules that went in. */
async function bundle(): Promise<string[]> {
  const entries = {
    gatehouse: 'server/cli/main.ts',
    index: 'server/embed/start-registry.ts',
    vitest: 'server/embed/vitest.ts',
    'node-test': 'server/embed/node-test.ts',
  };
  const config = forNode(path.join(folder, 'server'), entries, `node${oldestNode}`, {
    format: 'es',
    extension: 'js',
    sourcemap: false,
    paths: { 'better-sqlite3': `./${sqliteFolder}/lib/index.js` },
  });
  const built = await build(config);
  if (!('output' in built)) throw new Error('The bundler answered something else than one bundle.');
  return built.output.flatMap((file) => (file.type === 'chunk' ? file.moduleIds : []));
}

/**
 * Puts better-sqlite3 beside the server, with its binaries for every platform and without what they are built from. As a dependency, Yarn would
 * fetch node-gyp for it, `npm ci` ask for Python and pnpm refuse, although there is nothing to build.
 */
async function vendorSqlite(): Promise<string> {
  const source = path.join(projectFolder, 'node_modules/better-sqlite3');
  const target = path.join(folder, 'server', sqliteFolder);
  for (const part of ['lib', 'prebuilds', 'LICENSE', 'package.json'])
    await cp(path.join(source, part), path.join(target, part), { recursive: true });
  return path.join(source, 'lib/index.js');
}

function manifestOf({ version, license }: ProjectManifest): Record<string, unknown> {
  return {
    name: 'gatehouse',
    version,
    description:
      'A local npm registry for tests, offline work and rehearsals that speaks the package and protected environment APIs of GitLab',
    keywords: ['npm', 'registry', 'private', 'gitlab', 'offline', 'test', 'release'],
    license,
    type: 'module',
    exports: {
      '.': './server/index.js',
      './vitest': './server/vitest.js',
      './node-test': './server/node-test.js',
      './package.json': './package.json',
    },
    bin: { gatehouse: 'server/gatehouse.js' },
    // For gatehouse/vitest alone.
    peerDependencies: { vitest: '>=2' },
    peerDependenciesMeta: { vitest: { optional: true } },
    // Yarn would run it from an archive, where the binary of SQLite and the migrations cannot be read as files.
    preferUnplugged: true,
    engines: { node: `>=${oldestNode}` },
  };
}

if (import.meta.main) console.log(await packNpm());
