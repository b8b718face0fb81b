import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { x as extract } from 'tar';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { gatehouse, GatehouseProcess, rootToken } from '../support/gatehouse-process.ts';
import { send } from '../support/http.ts';
import { makePublishDocument } from '../support/publish-document.ts';
import { formatPage, releasedFolders, schemaOf } from '../support/released-folder.ts';

const projectFolder = path.resolve(import.meta.dirname, '../..');
const archives = path.join(projectFolder, releasedFolders);
const versions = readdirSync(archives).map((file) => path.basename(file, '.tar.gz'));

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'gatehouse-released-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const read = (file: string): string => readFileSync(path.join(projectFolder, file), 'utf8');
/** Schema by version, as the page about the format has it. */
const described = new Map(
  [...read(formatPage).matchAll(/^\| (\d+\.\d+\.\d+\S*) +\| \d+ +\| (\d+) /gm)].map(([, version, schema]) => [
    version,
    Number(schema),
  ]),
);

test('there is a data folder of each version that the change log names, and the page about the format lists them', () => {
  const released = [...read('CHANGELOG.md').matchAll(/^## (\d\S+) - /gm)].map(([, version]) => version);
  expect(versions).toEqual(expect.arrayContaining(released));
  expect(new Set(described.keys())).toEqual(new Set(versions));
});

test.each(versions)('the data folder of %s opens with all that it held, takes more, and is whole', async (version) => {
  await extract({ cwd: folder, file: path.join(archives, `${version}.tar.gz`) });
  expect(schemaOf(folder)).toBe(described.get(version));
  const server = await GatehouseProcess.start({ dataDir: folder });
  try {
    const get = (route: string) => send(server.origin, 'GET', `/api/v4/${route}`, { token: rootToken });
    const npm = 'projects/1/packages/npm';
    const packument = (await get(`${npm}/@acme%2fkettle`)).json<{ versions: object; 'dist-tags': object }>();
    expect(Object.keys(packument.versions)).toEqual(['1.0.0', '1.1.0']);
    expect(packument['dist-tags']).toEqual({ latest: '1.0.0', beta: '1.1.0' });
    expect((await get(`${npm}/@acme/kettle/-/@acme/kettle-1.1.0.tgz`)).status).toBe(200);
    const environment = await get('projects/1/protected_environments/production');
    expect(environment.json()).toMatchObject({ deploy_access_levels: [{ access_level_description: 'Ann' }] });
    const document = await makePublishDocument({ name: '@acme/kettle', version: '2.0.0' });
    const published = await send(server.origin, 'PUT', `/api/v4/${npm}/@acme%2fkettle`, {
      token: rootToken,
      body: document,
    });
    expect(published.status).toBe(200);
  } finally {
    await server.stop();
  }
  expect(await gatehouse(['doctor'], { dataDir: folder })).toMatchObject({ code: 0 });
});
