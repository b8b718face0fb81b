import { cp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { build, type InlineConfig, type Plugin } from 'vite';
import { thirdPartyNotices } from './third-party-notices.ts';

/** The checkout that the scripts belong to. */
export const projectFolder = path.resolve(import.meta.dirname, '..');

const out = path.join(projectFolder, 'out');
/** Read at run time: they are copied beside the bundled server. */
export const migrations = 'server/storage/database/migrations';
/** Written last: its time is that of the whole build. */
const stamp = path.join(out, 'built');

/** Builds the server, the main process, the preload script and the page into `out/`. */
export async function buildApp(): Promise<void> {
  await rm(stamp, { force: true });
  // The one package that is not bundled.
  const modules = new Set([path.join(projectFolder, 'node_modules/better-sqlite3/lib/index.js')]);
  const noteModules: Plugin = {
    name: 'note-modules',
    generateBundle() {
      for (const id of this.getModuleIds()) modules.add(id);
    },
  };
  for (const part of Object.values<InlineConfig>(parts)) await build({ ...part, plugins: [noteModules] });
  await copyAssets();
  await writeFile(path.join(out, 'THIRD-PARTY-NOTICES.md'), `${thirdPartyNotices(modules)}\n`);
  await writeFile(stamp, '');
}

/** Builds the app if `out/` is missing or older than any source file. */
export async function buildIfStale(): Promise<void> {
  const built = await stat(stamp).catch(() => null);
  const sources = ['server', 'electron', 'renderer', 'scripts', 'package.json', 'package-lock.json', 'vite.config.ts'];
  const times = await Promise.all(sources.map((source) => newest(path.join(projectFolder, source))));
  if (built !== null && built.mtimeMs >= Math.max(...times)) return;
  console.error('Building …');
  await buildApp();
}

/** What is not bundled: migrations, icons, and the mark that the server's files are modules. */
export async function copyAssets(): Promise<void> {
  await writeFile(path.join(out, 'package.json'), '{ "type": "module" }\n');
  await cp(path.join(projectFolder, migrations), path.join(out, 'server/migrations'), { recursive: true });
  await cp(path.join(projectFolder, 'electron/assets'), path.join(out, 'assets'), { recursive: true });
}

/** When the newest file of a folder was written. A folder's own time shows files that were removed. */
async function newest(file: string): Promise<number> {
  const found = await stat(file).catch(() => null);
  if (found === null) return 0;
  if (!found.isDirectory()) return found.mtimeMs;
  const times = await Promise.all((await readdir(file)).map((entry) => newest(path.join(file, entry))));
  return Math.max(found.mtimeMs, ...times);
}

/**
 * A bundle for Node. Only what has a binary or comes with Electron or a test runner stays outside.
 * @param folder below `out/`, or absolute
 */
export function forNode(
  folder: string,
  input: Record<string, string>,
  target: string,
  output: {
    format: 'es' | 'cjs';
    extension: string;
    codeSplitting?: false;
    sourcemap?: false;
    paths?: Record<string, string>;
  },
): InlineConfig {
  const { format, extension, sourcemap = true, ...rest } = output;
  return {
    configFile: false,
    root: projectFolder,
    publicDir: false,
    logLevel: 'warn',
    ssr: { noExternal: true, external: ['electron', 'better-sqlite3', 'vitest'], target: 'node' },
    build: {
      ssr: true,
      outDir: path.resolve(out, folder),
      emptyOutDir: true,
      target,
      sourcemap,
      rolldownOptions: {
        input,
        output: {
          format,
          entryFileNames: `[name].${extension}`,
          chunkFileNames: `[name]-[hash].${extension}`,
          ...rest,
        },
      },
    },
  };
}

/** The parts of the app, each with the bundle that makes it. */
export const parts = {
  server: forNode('server', { gatehouse: 'server/cli/main.ts' }, 'node22', { format: 'es', extension: 'js' }),
  // CommonJS runs at once, where Electron reads a module only after Chromium has begun. Node 20 is in Electron 33, the oldest supported.
  main: forNode('main', { index: 'electron/main/index.ts' }, 'node20', { format: 'cjs', extension: 'cjs' }),
  // A sandboxed preload script is one CommonJS file that can require nothing but electron.
  preload: forNode('preload', { index: 'electron/preload/index.ts' }, 'chrome130', {
    format: 'cjs',
    extension: 'cjs',
    codeSplitting: false,
    sourcemap: false,
  }),
  renderer: { configFile: path.join(projectFolder, 'vite.config.ts'), logLevel: 'warn' },
} satisfies Record<string, InlineConfig>;

if (import.meta.main) await buildApp();
