import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';

/**
 * What stands in for `default_app.asar`, which the npm-carried Electron lacks: `electron [-r FILE] APP [ARGUMENTS]` loads the files
 * given with -r, then the app folder, with its name, version and path set as a stock Electron sets them.
 */
const shim = `'use strict';
const { app, dialog } = require('electron');
const fs = require('node:fs');
const path = require('node:path');
const { pathToFileURL } = require('node:url');

process.defaultApp = true;
const preloads = [];
let folder;
for (let index = 1; index < process.argv.length; index += 1) {
  const argument = process.argv[index];
  if (argument === '-r' || argument === '--require') preloads.push(process.argv[(index += 1)]);
  else if (!argument.startsWith('-')) {
    folder = path.resolve(argument);
    break;
  }
}
if (folder === undefined) {
  process.stderr.write('Name the folder of the app to run.\\n');
  process.exit(1);
}
for (const file of preloads) require(file);
const manifest = JSON.parse(fs.readFileSync(path.join(folder, 'package.json'), 'utf8'));
app.setName(manifest.productName ?? manifest.name);
app.setVersion(manifest.version);
app.setAppPath(folder);
import(pathToFileURL(path.join(folder, manifest.main)).href).catch((error) => {
  process.stderr.write(String(error && error.stack) + '\\n');
  process.exit(1);
});
`;

/** Writes the stand-in into the `resources` folder of an unpacked Electron. */
export async function writeShim(resourcesFolder: string): Promise<void> {
  const folder = path.join(resourcesFolder, 'app');
  await mkdir(folder, { recursive: true });
  await writeFile(path.join(folder, 'package.json'), '{ "name": "electron", "main": "index.cjs" }\n');
  await writeFile(path.join(folder, 'index.cjs'), shim);
}
