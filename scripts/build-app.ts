import { cp, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { build, type InlineConfig } from 'vite';
import { projectFolder } from './folders.ts';
import { withLazyRequires } from './lazy-requires.ts';
import { serverChunks } from './server-chunks.ts';

const out = path.join(projectFolder, 'out');
/** Written last, so that its presence and age speak for the whole build. */
const stamp = path.join(out, 'built');

/** Builds the server, the main process, the preload script and the page into `out/`. */
export async function buildApp(): Promise<void> {
  await rm(stamp, { force: true });
  await build(server());
  await cp(path.join(projectFolder, 'server/storage/database/migrations'), path.join(out, 'server/migrations'), {
    recursive: true,
  });
  await writeFile(path.join(out, 'server/package.json'), `${JSON.stringify({ type: 'commonjs' })}\n`);
  await writeFile(path.join(out, 'package.json'), await manifest());
  // Electron's Node decides: the oldest that the app runs in is Electron 33 with Node 20.18.
  await build(forNode('main', 'electron/main/index.ts', 'index.cjs', 'node20'));
  await build(preload());
  await cp(path.join(projectFolder, 'electron/assets'), path.join(out, 'assets'), { recursive: true });
  await build({ configFile: path.join(projectFolder, 'vite.config.ts'), logLevel: 'warn' });
  await mkdir(out, { recursive: true });
  await writeFile(stamp, '');
}

/** The part of package.json that the built server reads beside itself: it must not depend on the checkout around it. */
async function manifest(): Promise<string> {
  const { name, version, license } = JSON.parse(await readFile(path.join(projectFolder, 'package.json'), 'utf8')) as {
    name: string;
    version: string;
    license: string;
  };
  return `${JSON.stringify({ name, version, license, type: 'module' }, null, 2)}\n`;
}

/** Whether `out/` is missing or older than any source file. */
export async function buildIsStale(): Promise<boolean> {
  const built = await stat(stamp).catch(() => null);
  if (built === null) return true;
  const sources = ['server', 'electron', 'renderer', 'package.json', 'package-lock.json', 'vite.config.ts', 'scripts'];
  for (const source of sources) {
    if ((await newest(path.join(projectFolder, source))) > built.mtimeMs) return true;
  }
  return false;
}

async function newest(file: string): Promise<number> {
  const found = await stat(file).catch(() => null);
  if (found === null) return 0;
  if (!found.isDirectory()) return found.mtimeMs;
  const entries = await readdir(file);
  // A folder's own time tells of files that were removed.
  const times = await Promise.all(entries.map((entry) => newest(path.join(file, entry))));
  return Math.max(found.mtimeMs, ...times);
}

function forNode(folder: string, entry: string, file: string, target: string): InlineConfig {
  return {
    configFile: false,
    root: projectFolder,
    publicDir: false,
    logLevel: 'warn',
    ssr: { noExternal: true, external: ['electron', 'better-sqlite3'], target: 'node' },
    build: {
      ssr: path.join(projectFolder, entry),
      outDir: path.join(out, folder),
      emptyOutDir: true,
      target,
      minify: false,
      sourcemap: true,
      rolldownOptions: {
        plugins: [asciiOnly],
        output: outputFor(file),
      },
    },
  };
}

/** CommonJS: Electron runs such a main process at once, where a module is read after Chromium has begun; for the server see below. */
function outputFor(file: string) {
  return {
    format: 'cjs' as const,
    entryFileNames: file,
    chunkFileNames: `[name]-[hash]${path.extname(file)}`,
    // Names stay, for stack traces; comments and white space would only fill the memory.
    minify: { compress: true, mangle: false, codegen: true },
  };
}

/**
 * The server: CommonJS, since `import` of one of Node's own modules reads all that it exports, and some of that (WebSocket in
 * `node:http`) loads a tenth of Node; and in several files, of which each is loaded when it is first used.
 */
function server(): InlineConfig {
  const base = forNode('server', 'server/cli/main.ts', 'gatehouse.js', 'node22');
  return {
    ...base,
    build: {
      ...base.build,
      ssr: true,
      rolldownOptions: {
        // What runs on a thread of its own is found beside the rest by its name.
        input: {
          gatehouse: path.join(projectFolder, 'server/cli/main.ts'),
          'examiner-thread': path.join(projectFolder, 'server/registry/publish/examiner-thread.ts'),
        },
        plugins: [lazyRequires, asciiOnly],
        output: {
          ...outputFor('[name].js'),
          codeSplitting: { groups: [...serverChunks], includeDependenciesRecursively: false },
        },
      },
    },
  };
}

const lazyRequires = {
  name: 'lazy-requires',
  renderChunk: (code: string) => ({ code: withLazyRequires(code), map: null }),
};

/** V8 keeps source text with one character beyond Latin-1 at two bytes for each; a quarter of a server's heap was that. */
const asciiOnly = {
  name: 'ascii-only',
  generateBundle(_options: unknown, bundle: Record<string, { type: string; code?: string }>) {
    for (const chunk of Object.values(bundle)) {
      if (chunk.type !== 'chunk' || chunk.code === undefined) continue;
      chunk.code = chunk.code.replaceAll(
        /[^\0-\x7f]/g,
        (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
      );
    }
  },
};

/** A sandboxed preload script is one CommonJS file that can require nothing but electron. */
function preload(): InlineConfig {
  const base = forNode('preload', 'electron/preload/index.ts', 'index.cjs', 'chrome130');
  return {
    ...base,
    build: {
      ...base.build,
      sourcemap: false,
      rolldownOptions: { output: { format: 'cjs', entryFileNames: 'index.cjs', codeSplitting: false } },
    },
  };
}
