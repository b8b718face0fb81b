/**
 * Stands in for `default_app.asar`: `electron [-r FILE] APP [ARGUMENTS]` loads the files given with -r, then the app, with its name, version
 * and path set as Electron sets them. Electron holds back `ready` until the top-level await of its main file is done, so the app can still
 * set up what must come before.
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { app } from 'electron';

process.defaultApp = true;
const require = createRequire(import.meta.url);
const preloads = [];
let folder = '';
for (let index = 1; index < process.argv.length && folder === ''; index += 1) {
  const argument = process.argv[index];
  if (argument === '-r' || argument === '--require') {
    index += 1;
    preloads.push(process.argv[index]);
  } else if (!argument.startsWith('-')) folder = path.resolve(argument);
}
try {
  for (const file of preloads) require(file);
  const manifest = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'));
  app.setName(manifest.productName ?? manifest.name);
  app.setVersion(manifest.version);
  app.setAppPath(folder);
  await import(pathToFileURL(path.join(folder, manifest.main)).href);
} catch (error) {
  process.stderr.write(`${error?.stack}\n`);
  process.exit(1);
}
