import { describe, expect, it } from 'vitest';
import { protect, protections, statusAndBody, useWorld, world } from './world.ts';

useWorld();

describe('changing', () => {
  it('merges: adds, changes in place, removes, and leaves the rest', async () => {
    const first = (await protect('merge', [{ access_level: 30 }, { access_level: 40 }])).deploy_access_levels;
    const [developers, maintainers] = first;
    const put = async (levels: unknown) => {
      const answer = await world.call('PUT', `${protections}/merge`, { name: 'ignored', deploy_access_levels: levels });
      return [answer.status, answer.json<{ deploy_access_levels: { id: number }[] }>()] as const;
    };
    const [, appended] = await put([{ user_id: world.developer.user.id }]);
    expect(appended).toMatchObject({
      name: 'merge',
      deploy_access_levels: [developers, maintainers, { user_id: world.developer.user.id }],
    });
    const [, changed] = await put([{ id: developers?.id, access_level: 60 }]);
    expect(changed.deploy_access_levels[0]).toMatchObject({ id: developers?.id, access_level: 60 });
    const [, removed] = await put([
      { id: maintainers?.id, _destroy: true },
      { _destroy: true, access_level: 40 },
    ]);
    expect(removed.deploy_access_levels.map((level) => level.id)).toEqual([
      developers?.id,
      appended.deploy_access_levels[2]?.id,
    ]);
    const [status, switched] = await put([{ id: developers?.id, access_level: null, user_id: world.owner.user.id }]);
    expect([status, switched.deploy_access_levels[0]]).toMatchObject([200, { user_id: world.owner.user.id }]);
  });

  it('is all or nothing', async () => {
    const object = await protect('atomic', [{ access_level: 40 }]);
    const id = object.deploy_access_levels[0]?.id;
    const put = (levels: unknown) => world.call('PUT', `${protections}/atomic`, { deploy_access_levels: levels });
    const cases: [unknown, number][] = [
      [[{ access_level: 30 }, { id: 999_999, access_level: 60 }], 404],
      [[{ access_level: 30 }, { user_id: world.reporter.user.id }], 422],
      [[{ access_level: 40 }], 422],
      [[{ id, _destroy: true }], 422],
      [[{ id, user_id: world.owner.user.id }], 422],
      [[{ id, _destroy: 'maybe' }], 400],
      [[{ id, access_level: 50 }], 400],
    ];
    for (const [levels, status] of cases) expect((await put(levels)).status, JSON.stringify(levels)).toBe(status);
    for (const levels of [undefined, [], [{ id, _destroy: false }], [{ id, access_level: 40 }]]) {
      expect((await put(levels)).json()).toEqual(object);
    }
    const replaced = await put([{ id, _destroy: true }, { access_level: 60 }]);
    expect(replaced.json<{ deploy_access_levels: unknown[] }>().deploy_access_levels).toMatchObject([
      { access_level: 60 },
    ]);
  });

  it('keeps approval rules beside them, enforced nowhere', async () => {
    const answer = await world.call('POST', protections, {
      name: 'approved',
      deploy_access_levels: [{ access_level: 40 }],
      approval_rules: [{ access_level: 40, required_approvals: 2 }, { user_id: world.developer.user.id }],
    });
    const rules = answer.json<{ approval_rules: { id: number }[] }>().approval_rules;
    expect(rules).toMatchObject([
      { access_level: 40, required_approvals: 2, access_level_description: 'Maintainers' },
      { user_id: world.developer.user.id, required_approvals: 1 },
    ]);
    const after = await world.call('PUT', `${protections}/approved`, {
      approval_rules: [{ id: rules[0]?.id, _destroy: true }],
    });
    expect(after.json()['approval_rules']).toMatchObject([rules[1]]);
    for (const entry of [{ required_approvals: 2 }, { id: rules[1]?.id, user_id: null }]) {
      const nobody = await world.call('PUT', `${protections}/approved`, { approval_rules: [entry] });
      expect(statusAndBody(nobody)).toEqual([
        422,
        { message: ['Approval rules base At least one of access_level, group_id, user_id must be present'] },
      ]);
    }
  });

  it('has a limit of rules, of which thousands kept the server busy for seconds', async () => {
    const rules = Array.from({ length: 100 }, () => ({ access_level: 40 }));
    await protect('many');
    const put = async (entries: object) =>
      statusAndBody(await world.call('PUT', `${protections}/many`, { approval_rules: entries }));
    const [status, full] = await put(rules);
    expect([status, full]).toMatchObject([200, { approval_rules: { length: 100 } }]);
    const tooMany = 'Approval rules are too many (maximum is 100). Name a group in place of its members';
    expect(await put([{ access_level: 30 }])).toEqual([422, { message: [tooMany] }]);
    const [first] = (full as { approval_rules: { id: number }[] }).approval_rules;
    expect((await put([{ id: first?.id, _destroy: true }, { access_level: 30 }]))[0]).toBe(200);
    const levels = { name: 'more', deploy_access_levels: [...rules, { access_level: 30 }] };
    expect((await world.call('POST', protections, levels)).status).toBe(422);
  });

  it('unprotects with 204, ignoring a body, and starts from nothing afterwards', async () => {
    await protect('gone', [{ access_level: 30 }, { access_level: 40 }]);
    const stale = await world.registry.send('DELETE', `/api/v4${protections}/gone`, {
      headers: { 'if-unmodified-since': 'Thu, 01 Jan 2015 00:00:00 GMT' },
    });
    expect(statusAndBody(stale)).toEqual([412, { message: '412 Precondition Failed' }]);
    const answer = await world.call('DELETE', `${protections}/gone`, {});
    expect([answer.status, answer.text]).toEqual([204, '']);
    const again = await world.call('DELETE', `${protections}/gone`);
    expect(statusAndBody(again)).toEqual([404, { message: '404 Not found' }]);
    expect((await protect('gone')).deploy_access_levels).toHaveLength(1);
  });
});
