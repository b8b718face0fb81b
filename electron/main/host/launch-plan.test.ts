import { describe, expect, it } from 'vitest';
import { nodeCanServe } from '../../../server/contract/node-version.ts';
import { childEnvironment, decideHosting, launchPlan, serverEntry } from './launch-plan.ts';

const saved = { port: 4899, serveOthers: false, largestTarball: 500, dataDir: null };

describe('how the server is hosted', () => {
  it('has its data in the folder of the app and the saved port', () => {
    const served = { host: '127.0.0.1', port: 4899, largestTarball: 500 };
    expect(decideHosting({}, saved, '/user')).toEqual({ ...served, dataDir: '/user/registry', nodePath: null });
    expect(decideHosting({}, { ...saved, dataDir: '/moved' }, '/user').dataDir).toBe('/moved');
  });

  it('follows the environment before the settings', () => {
    const environment = { GATEHOUSE_DATA_DIR: '/data', GATEHOUSE_PORT: '0', GATEHOUSE_NODE: '/node' };
    expect(decideHosting(environment, { ...saved, dataDir: '/moved' }, '/user')).toMatchObject({
      dataDir: '/data',
      port: 0,
      nodePath: '/node',
    });
  });

  it('is served to this computer alone, to others where that is set, and as the environment says before both', () => {
    const hostOf = (serveOthers: boolean, environment = {}): string =>
      decideHosting(environment, { ...saved, serveOthers }, '/user').host;
    expect(hostOf(false)).toBe('127.0.0.1');
    expect(hostOf(true)).toBe('0.0.0.0');
    expect(hostOf(true, { GATEHOUSE_HOST: '127.0.0.5' })).toBe('127.0.0.5');
    expect(hostOf(false, { GATEHOUSE_HOST: '' })).toBe('127.0.0.1');
  });

  it.each(['http', '-1', '70000', '48 99', '1e3'])('refuses the port %s by name', (port) => {
    expect(() => decideHosting({ GATEHOUSE_PORT: port }, saved, '/user')).toThrow('GATEHOUSE_PORT');
  });

  it('has the control link', () => {
    const hosting = { dataDir: '/d', host: '0.0.0.0', port: 1, largestTarball: 7, nodePath: null };
    const { args } = launchPlan(hosting, '/e.js', {});
    expect(args.join(' ')).toBe('serve --control --data-dir /d --host 0.0.0.0 --port 1 --max-tarball 7');
  });

  it('finds the server beside the archive of a packed app', () => {
    expect(serverEntry('/opt/resources/app.asar/out')).toBe('/opt/resources/app.asar.unpacked/out/server/gatehouse.js');
    expect(serverEntry('/work/out')).toBe('/work/out/server/gatehouse.js');
  });

  it.each([
    ['20.18.1', false],
    ['22.18.0', false],
    ['22.19.0', true],
    ['24.0.0', true],
  ])('with Node %s: %s', (version, can) => {
    expect(nodeCanServe(version)).toBe(can);
  });
});

describe('the environment of the server', () => {
  it('is an allow-list', () => {
    const allowed = { PATH: '/bin', Path: 'C:\\', LC_ALL: 'C', https_proxy: 'http://p', GATEHOUSE_LOG_LEVEL: 'debug' };
    const refused = { NODE_OPTIONS: '--inspect', ELECTRON_RUN_AS_NODE: '1', LD_PRELOAD: '/x.so' };
    const secrets = { NPM_TOKEN: 'secret', AWS_SECRET_ACCESS_KEY: 'secret' };
    expect(childEnvironment({ ...allowed, ...refused, ...secrets })).toEqual(allowed);
  });
});
