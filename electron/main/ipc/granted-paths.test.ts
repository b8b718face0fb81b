import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { pathUsesOf } from '../../../server/contract/local-path.ts';
import { methods } from '../../../server/contract/methods.ts';
import { GrantedPaths } from './granted-paths.ts';

const refused = { ok: false, error: { code: 'app_path_not_chosen', message: expect.stringContaining('Choose') } };

describe('paths that a page names', () => {
  it('are refused unless a dialog gave them to the same window', async () => {
    const [window, other] = [{}, {}];
    const paths = new GrantedPaths();
    const write = { projectId: 1, folder: '/home/me/project' };
    expect(await paths.refusalOf(window, 'connect.write', write)).toMatchObject(refused);
    expect(paths.grant(window, 'folder', null)).toBeNull();
    expect(await paths.refusalOf(window, 'connect.write', write)).toMatchObject(refused);
    expect(paths.grant(window, 'folder', '/home/me/project')).toBe('/home/me/project');
    expect(await paths.refusalOf(window, 'connect.write', write)).toBeUndefined();
    expect(await paths.refusalOf(other, 'connect.write', write)).toMatchObject(refused);
    for (const folder of ['/home/me/project/', '/home/me/project/..', '/home/me', ' /home/me/project', '']) {
      expect(await paths.refusalOf(window, 'connect.undo', { folder }), folder).toMatchObject(refused);
    }
  });

  it('are for the use that the dialog was about: a bundle that is read is not replaced by a backup', async () => {
    const window = {};
    const paths = new GrantedPaths();
    paths.grant(window, 'file', '/media/packages.gatehouse');
    const file = { file: '/media/packages.gatehouse' };
    expect(await paths.refusalOf(window, 'bundles.inspect', file)).toBeUndefined();
    for (const method of ['maintenance.backup', 'bundles.export']) {
      expect(await paths.refusalOf(window, method, file), method).toMatchObject(refused);
    }
  });

  it('may be left out where the schedule keeps its folder', async () => {
    const paths = new GrantedPaths();
    const change = { enabled: true, everyHours: 24, keep: 7 };
    expect(await paths.refusalOf({}, 'maintenance.setSchedule', change)).toBeUndefined();
    expect(await paths.refusalOf({}, 'maintenance.setSchedule', { ...change, folder: '/etc' })).toMatchObject(refused);
  });

  it('are found in every method of a window', () => {
    const named = Object.entries(methods).flatMap(([method, { input, callers }]) => {
      const text = JSON.stringify(z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' }));
      const names = [...text.matchAll(/"(file|files|folder|dir|directory|path)":\{/g)].map(([, name = '']) => name);
      return callers.includes('window')
        ? names.filter((name) => !pathUsesOf(input).has(name)).map((name) => `${method} ${name}`)
        : [];
    });
    // A path inside a tarball, and the path of a group or project in its URL.
    expect(named.filter((each) => !/^(contents\.file|directory\.\w+) path$/.test(each))).toEqual([]);
    expect(Object.values(methods).filter(({ input }) => pathUsesOf(input).size > 0).length).toBeGreaterThanOrEqual(9);
  });
});
