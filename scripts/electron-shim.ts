import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';

/**
 * What stands in for `default_app.asar`, which the npm-carried Electron lacks: `electron [-r FILE] APP [ARGUMENTS]` loads the files
 * given with -r, then the app folder, with its name, version and path set as a stock Electron sets them.
 *
 * It is a module with a top-level await because Electron holds back `ready` until such a main file is done: what the app must set up
 * before `ready` still comes in time.
 */
const shim = `import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { app } from 'electron';

process.defaultApp = true;
const require = createRequire(import.meta.url);
const preloads = [];
let folder;
for (let index = 1; index < process.argv.length; index += 1) {
  const argument = process.argv[index];
  if (argument === '-r' || argument === '--require') {
    index += 1;
    preloads.push(process.argv[index]);
  } else if (!argument.startsWith('-')) {
    folder = path.resolve(argument);
    break;
  }
}
if (folder === undefined) {
  process.stderr.write('Name the folder of the app to run.\\n');
  process.exit(1);
}
for (const file of preloads) require(file);
const manifest = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'));
app.setName(manifest.productName ?? manifest.name);
app.setVersion(manifest.version);
app.setAppPath(folder);
try {
  await import(pathToFileURL(path.join(folder, manifest.main)).href);
} catch (error) {
  process.stderr.write(String(error?.stack) + '\\n');
  process.exit(1);
}
`;

/** Writes the stand-in into the `resources` folder of an unpacked Electron, unless it is there already. */
export async function writeShim(resourcesFolder: string): Promise<void> {
  const folder = path.join(resourcesFolder, 'app');
  const file = path.join(folder, 'index.mjs');
  if ((await readFile(file, 'utf8').catch(() => '')) === shim) return;
  await mkdir(folder, { recursive: true });
  await writeFile(path.join(folder, 'package.json'), '{ "name": "electron", "main": "index.mjs" }\n');
  await writeFile(file, shim);
}
