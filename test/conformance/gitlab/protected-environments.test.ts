import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addToGroup, makeGroup, shareProject, startWorld, type World } from './world.ts';

const base = '/projects/1/protected_environments';
let world: World;

beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.registry.stop());

async function protect(name: string, levels: unknown = [{ access_level: 40 }]) {
  const answer = await world.call('POST', base, { name, deploy_access_levels: levels });
  expect(answer.status, answer.text).toBe(201);
  return answer.json<{ name: string; deploy_access_levels: { id: number }[] }>();
}

describe('protecting', () => {
  it('answers 201 with the object in GitLab’s shape, and the same by GET and in the list', async () => {
    const answer = await world.call('POST', base, { name: 'production', deploy_access_levels: [{ access_level: 40 }] });
    expect(answer.status).toBe(201);
    const object = answer.json();
    expect(object).toEqual({
      name: 'production',
      deploy_access_levels: [
        {
          id: expect.any(Number),
          access_level: 40,
          access_level_description: 'Maintainers',
          user_id: null,
          group_id: null,
          group_inheritance_type: 0,
        },
      ],
      required_approval_count: 0,
      approval_rules: [],
    });
    expect((await world.call('GET', `${base}/production`)).json()).toEqual(object);
    expect((await world.call('GET', base)).json()).toContainEqual(object);
  });

  it('describes every kind of rule', async () => {
    const group = await makeGroup(world, 'describers');
    await shareProject(world, group, 10);
    const object = await protect('described', [
      { access_level: 30 },
      { access_level: '60' },
      { user_id: world.developer.user.id },
      { group_id: group.id, group_inheritance_type: 1 },
    ]);
    expect(object.deploy_access_levels).toMatchObject([
      { access_level: 30, access_level_description: 'Developers + Maintainers' },
      { access_level: 60, access_level_description: 'Administrators' },
      { access_level: null, user_id: world.developer.user.id, access_level_description: 'User dan' },
      { access_level: null, group_id: group.id, access_level_description: 'describers', group_inheritance_type: 1 },
    ]);
  });

  it.each<[unknown, string]>([
    [{}, 'name is missing, deploy_access_levels is missing'],
    [[1], 'name is missing, deploy_access_levels is missing'],
    [{ name: 'x' }, 'deploy_access_levels is missing'],
    [{ deploy_access_levels: [] }, 'name is missing'],
    [{ name: ['a'], deploy_access_levels: [] }, 'name is invalid'],
    [{ name: 'x', deploy_access_levels: {} }, 'deploy_access_levels is invalid'],
    [{ name: 'x', deploy_access_levels: 'x' }, 'deploy_access_levels is invalid'],
    [{ name: 'x', deploy_access_levels: [40] }, 'deploy_access_levels is invalid'],
    [
      { name: 'x', deploy_access_levels: [{ access_level: 50 }] },
      'deploy_access_levels[0][access_level] does not have a valid value',
    ],
    [
      { name: 'x', deploy_access_levels: [{ access_level: 40 }, { access_level: 20 }] },
      'deploy_access_levels[1][access_level] does not have a valid value',
    ],
    [
      { name: 'x', deploy_access_levels: [{ access_level: 'maintainer' }] },
      'deploy_access_levels[0][access_level] is invalid, deploy_access_levels[0][access_level] does not have a valid value',
    ],
    [{ name: 'x', deploy_access_levels: [{ user_id: 'abc' }] }, 'deploy_access_levels[0][user_id] is invalid'],
    [
      { name: 'x', deploy_access_levels: [{ access_level: 40, group_inheritance_type: 2 }] },
      'deploy_access_levels[0][group_inheritance_type] does not have a valid value',
    ],
    [
      { name: 'x', deploy_access_levels: [{ access_level: 40 }], required_approval_count: 'x' },
      'required_approval_count is invalid',
    ],
    [
      { name: 'x', deploy_access_levels: [{ access_level: 40 }], approval_rules: [{ required_approvals: 2 }] },
      'approval_rules[0][access_level], approval_rules[0][user_id], approval_rules[0][group_id] are missing, at least one parameter must be provided',
    ],
  ])('refuses %j with 400 in the words of the parameter layer', async (body, error) => {
    const answer = await world.call('POST', base, body);
    expect([answer.status, answer.json()]).toEqual([400, { error }]);
  });

  it.each<[unknown, string[]]>([
    [{ name: '', deploy_access_levels: [{ access_level: 40 }] }, ["Name can't be blank"]],
    [{ name: null, deploy_access_levels: [{ access_level: 40 }] }, ["Name can't be blank"]],
    [{ name: 'x', deploy_access_levels: [] }, ['Deploy access levels is too short (minimum is 1 character)']],
    [{ name: 'x', deploy_access_levels: null }, ['Deploy access levels is too short (minimum is 1 character)']],
    [
      { name: ' ', deploy_access_levels: [] },
      ['Deploy access levels is too short (minimum is 1 character)', "Name can't be blank"],
    ],
    [
      { name: 'x', deploy_access_levels: [{}] },
      ['Deploy access levels base Exactly one of access_level, group_id, user_id must be present'],
    ],
    [
      { name: 'x', deploy_access_levels: [{ access_level: 40, user_id: 1 }] },
      ['Deploy access levels base Exactly one of access_level, group_id, user_id must be present'],
    ],
    [
      { name: 'x', deploy_access_levels: [{ access_level: 40 }, { access_level: 40 }] },
      ['Deploy access levels has duplicate entries'],
    ],
    [
      { name: 'n'.repeat(256), deploy_access_levels: [{ access_level: 40 }] },
      ['Name is too long (maximum is 255 characters)'],
    ],
    [{ name: 'a\nb', deploy_access_levels: [{ access_level: 40 }] }, ['Name contains control characters']],
    [
      {
        name: 'x',
        deploy_access_levels: [{ access_level: 40 }],
        approval_rules: [{ access_level: 40, required_approvals: 6 }],
      },
      ['Approval rules required approvals must be less than or equal to 5'],
    ],
  ])('refuses %j with 422 in the words of the model', async (body, message) => {
    const answer = await world.call('POST', base, body);
    expect([answer.status, answer.json()]).toEqual([422, { message }]);
    expect((await world.call('GET', `${base}/x`)).status).toBe(404);
  });

  it('names each user and group that does not qualify, and stores nothing', async () => {
    const group = await makeGroup(world, 'uninvited');
    const answer = await world.call('POST', base, {
      name: 'unqualified',
      deploy_access_levels: [
        { access_level: 40 },
        { user_id: world.reporter.user.id },
        { user_id: world.outsider.user.id },
        { user_id: 999 },
        { group_id: group.id },
        { group_id: 1 },
        { group_id: 998 },
      ],
    });
    expect([answer.status, answer.json()]).toEqual([
      422,
      {
        message: [
          `Deploy access levels user ${world.reporter.user.id} does not have Developer access to the project`,
          `Deploy access levels user ${world.outsider.user.id} does not have Developer access to the project`,
          'Deploy access levels user 999 does not exist',
          `Deploy access levels group ${group.id} is not invited to the project`,
          'Deploy access levels group 1 is not invited to the project',
          'Deploy access levels group 998 does not exist',
        ],
      },
    ]);
    expect((await world.call('GET', `${base}/unqualified`)).status).toBe(404);
  });

  it('refuses a second protection of a name, and the deprecated count before that', async () => {
    await protect('twice');
    const again = await world.call('POST', base, { name: 'twice', deploy_access_levels: [{ user_id: 999 }] });
    expect([again.status, again.json()]).toEqual([409, { message: "Environment 'twice' is already protected" }]);
    const counted = await world.call('POST', base, {
      name: 'twice',
      deploy_access_levels: [{ access_level: 40 }],
      required_approval_count: 1,
    });
    expect(counted.status).toBe(422);
    expect(counted.json()['message']).toMatch(/^Parameter 'required_approval_count' is deprecated/);
    const negative = (name: string) =>
      world.call('POST', base, { name, deploy_access_levels: [{ access_level: 40 }], required_approval_count: -1 });
    expect((await negative('twice')).status).toBe(409);
    const refused = await negative('uncounted');
    expect([refused.status, refused.json()]).toEqual([
      422,
      { message: ['Required approval count must be greater than or equal to 0'] },
    ]);
  });

  it('takes forms, queries and multipart bodies, and coerces numbers', async () => {
    const form = await world.registry.send('POST', `/api/v4${base}`, {
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: `name=form&deploy_access_levels[][access_level]=40&deploy_access_levels[][user_id]=${world.developer.user.id}`,
    });
    // Rack’s rule: a new element begins only where a name repeats, so that was one entry with two selectors.
    expect(form.status).toBe(422);
    const query = await world.call('POST', `${base}?name=query&deploy_access_levels%5B%5D%5Baccess_level%5D=40.5`);
    expect([query.status, query.json()]).toMatchObject([201, { deploy_access_levels: [{ access_level: 40 }] }]);
    const multipart = await world.registry.send('POST', `/api/v4${base}`, {
      headers: { 'content-type': 'multipart/form-data; boundary=XX' },
      body: '--XX\r\nContent-Disposition: form-data; name="name"\r\n\r\nmulti\r\n--XX\r\nContent-Disposition: form-data; name="deploy_access_levels[][access_level]"\r\n\r\n30\r\n--XX--\r\n',
    });
    expect([multipart.status, multipart.json()]).toMatchObject([201, { name: 'multi' }]);
  });

  it('refuses what it cannot read', async () => {
    const send = (type: string, body: string) =>
      world.registry.send('POST', `/api/v4${base}`, { headers: { 'content-type': type }, body });
    const xml = await send('text/xml', '<a/>');
    expect([xml.status, xml.json()]).toEqual([
      415,
      { error: "The provided content-type 'text/xml' is not supported." },
    ]);
    const broken = await send('application/json', '{"name":');
    expect(broken.status).toBe(400);
    expect(broken.json()['error']).toContain('message body does not match declared format');
    const plain = await send('text/plain', 'name=x');
    expect(plain.json()).toEqual({ error: 'name is missing, deploy_access_levels is missing' });
    const large = await send('application/json', JSON.stringify({ name: 'x'.repeat(2_000_000) }));
    expect(large.status).toBe(413);
  });
});

describe('who may call', () => {
  it.each<[keyof World, number]>([
    ['outsider', 404],
    ['guest', 403],
    ['reporter', 403],
    ['developer', 403],
    ['maintainer', 400],
    ['owner', 400],
  ])('%s posting garbage gets %i: authorisation comes first', async (who, status) => {
    const { token } = world[who] as { token: string };
    expect((await world.call('POST', base, { nonsense: true }, token)).status).toBe(status);
    const broken = await world.registry.send('POST', `/api/v4${base}`, {
      token,
      headers: { 'content-type': 'application/json' },
      body: '{',
    });
    expect(broken.status).toBe(status);
  });

  it('tells strangers without a token 404 for private and unknown projects, and 403 for public ones', async () => {
    const open = await world.registry.project({ visibility: 'public' });
    const internal = await world.registry.project({ visibility: 'internal' });
    const ask = async (id: number | string, token: string | null) =>
      (await world.call('GET', `/projects/${id}/protected_environments`, undefined, token)).json();
    const lost = { message: '404 Project Not Found' };
    const forbidden = { message: '403 Forbidden' };
    expect([await ask(1, null), await ask(4711, null), await ask(internal.id, null)]).toEqual([lost, lost, lost]);
    expect(await ask(open.id, null)).toEqual(forbidden);
    expect(await ask(internal.id, world.outsider.token)).toEqual(forbidden);
    expect(await ask('word', world.owner.token)).toEqual(lost);
  });

  it('tells tokens that are wrong, expired, revoked, too small or of a blocked user apart', async () => {
    const { user } = world.maintainer;
    const unknown = await world.call('GET', base, undefined, 'glpat-nonsense');
    expect([unknown.status, unknown.json()]).toEqual([401, { message: '401 Unauthorized' }]);

    const small = await world.registry.token(user.id, ['read_api']);
    expect((await world.call('GET', base, undefined, small)).status).toBe(200);
    const write = await world.call('POST', base, {}, small);
    expect([write.status, write.json()]).toEqual([
      403,
      {
        error: 'insufficient_scope',
        error_description: 'The request requires higher privileges than provided by the access token.',
        scope: 'api read_api',
      },
    ]);

    const list = world.registry.registry.people.tokens.list(user.id);
    await world.registry.registry.people.tokens.revoke(
      { userId: 1, username: 'root', origin: 'cli', address: null },
      list.at(-1)?.id ?? 0,
    );
    const revoked = await world.call('GET', base, undefined, small);
    expect([revoked.status, revoked.json()]).toMatchObject([401, { error: 'invalid_token' }]);
    expect(revoked.headers['www-authenticate']).toContain('error="invalid_token"');

    const blocked = await world.registry.user({ username: 'blocked' });
    await world.call('POST', `/users/${blocked.user.id}/block`);
    const refused = await world.call('GET', base, undefined, blocked.token);
    expect([refused.status, refused.json()]).toEqual([
      403,
      { message: '403 Forbidden - Your account has been blocked.' },
    ]);
  });

  it('takes the token from the query, a form, PRIVATE-TOKEN, Bearer and Basic, in that order', async () => {
    const { token } = world.maintainer;
    const status = async (path: string, headers: Record<string, string>) =>
      (await world.registry.send('GET', `/api/v4${base}${path}`, { token: undefined, headers })).status;
    expect(await status(`?private_token=${token}`, { 'private-token': 'nonsense' })).toBe(200);
    expect(await status('', { 'private-token': token, authorization: 'Bearer nonsense' })).toBe(200);
    expect(await status('', { authorization: `Bearer ${token}` })).toBe(200);
    expect(await status('', { authorization: `Basic ${btoa(`anybody:${token}`)}` })).toBe(200);
    expect(await status('', { 'private-token': '', authorization: 'Bearer nonsense' })).toBe(401);
    expect(await status('', { 'private-token': '' })).toBe(404);
    // Tokens of CI jobs and deployments are for packages alone.
    expect(await status('', { 'job-token': token })).toBe(404);
    expect(await status('', { 'deploy-token': token })).toBe(404);
    const packages = { token: undefined, headers: { 'job-token': token } };
    expect((await world.registry.send('GET', '/api/v4/projects/1/packages', packages)).status).toBe(200);
  });
});

describe('changing', () => {
  it('merges: adds, changes in place, removes, and leaves the rest', async () => {
    const first = (await protect('merge', [{ access_level: 30 }, { access_level: 40 }])).deploy_access_levels;
    const [developers, maintainers] = first;
    const put = async (levels: unknown) => {
      const answer = await world.call('PUT', `${base}/merge`, { name: 'ignored', deploy_access_levels: levels });
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
    const put = (levels: unknown) => world.call('PUT', `${base}/atomic`, { deploy_access_levels: levels });
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
    const answer = await world.call('POST', base, {
      name: 'approved',
      deploy_access_levels: [{ access_level: 40 }],
      approval_rules: [{ access_level: 40, required_approvals: 2 }, { user_id: world.developer.user.id }],
    });
    const rules = answer.json<{ approval_rules: { id: number }[] }>().approval_rules;
    expect(rules).toMatchObject([
      { access_level: 40, required_approvals: 2, access_level_description: 'Maintainers' },
      { user_id: world.developer.user.id, required_approvals: 1 },
    ]);
    const after = await world.call('PUT', `${base}/approved`, {
      approval_rules: [{ id: rules[0]?.id, _destroy: true }],
    });
    expect(after.json()['approval_rules']).toMatchObject([rules[1]]);
  });

  it('unprotects with 204, ignoring a body, and starts from nothing afterwards', async () => {
    await protect('gone', [{ access_level: 30 }, { access_level: 40 }]);
    const stale = await world.registry.send('DELETE', `/api/v4${base}/gone`, {
      headers: { 'if-unmodified-since': 'Thu, 01 Jan 2015 00:00:00 GMT' },
    });
    expect([stale.status, stale.json()]).toEqual([412, { message: '412 Precondition Failed' }]);
    const answer = await world.call('DELETE', `${base}/gone`, {});
    expect([answer.status, answer.text]).toEqual([204, '']);
    const again = await world.call('DELETE', `${base}/gone`);
    expect([again.status, again.json()]).toEqual([404, { message: '404 Not found' }]);
    expect((await protect('gone')).deploy_access_levels).toHaveLength(1);
  });
});

describe('names and paths', () => {
  it.each([
    ['review/app', 'review%2Fapp'],
    ['review/raw/app', 'review/raw/app'],
    ['foo.bar', 'foo%2Ebar'],
    ['foo.json', 'foo.json'],
    ['with space', 'with%20space'],
    ['100%', '100%25'],
    ['50% off', '50%%20off'],
    ['a+b', 'a+b'],
    ['größe', 'gr%C3%B6%C3%9Fe'],
    ['*', '*'],
  ])('finds %s at %s', async (name, path) => {
    await protect(name);
    expect((await world.call('GET', `${base}/${path}`)).json()).toMatchObject({ name });
    expect((await world.call('DELETE', `${base}/${path}`)).status).toBe(204);
  });

  it('takes raw slashes before and within the word that asks who may deploy', async () => {
    await protect('review/asked');
    await protect('review/access');
    const asked = await world.call('GET', `${base}/review/asked/access?user_id=1`);
    expect([asked.status, asked.json()]).toMatchObject([200, { allowed: true, user: { id: 1 } }]);
    expect((await world.call('PUT', `${base}/review/access`, {})).json()).toMatchObject({ name: 'review/access' });
    expect((await world.call('DELETE', `${base}/review/access`, {})).status).toBe(204);
    expect((await world.call('DELETE', `${base}/review/asked`, {})).status).toBe(204);
  });

  it('takes the project by number, encoded path in either case, and raw path', async () => {
    await protect('pathed');
    for (const project of ['1', 'local%2Fpackages', 'LOCAL%2fPackages', 'local/packages']) {
      const answer = await world.call('GET', `/projects/${project}/protected_environments/pathed`);
      expect([project, answer.status]).toEqual([project, 200]);
    }
    expect((await world.call('GET', `/projects/local/packages/protected_environments`)).status).toBe(200);
  });

  it('tolerates a trailing slash and .json on the collection, and knows its methods', async () => {
    expect((await world.call('GET', `${base}/`)).status).toBe(200);
    expect((await world.call('GET', `${base}.json`)).status).toBe(200);
    const patch = await world.call('PATCH', `${base}/production`);
    expect([patch.status, patch.json(), patch.headers['allow']]).toEqual([
      405,
      { error: '405 Not Allowed' },
      'DELETE, GET, HEAD, OPTIONS, PUT',
    ]);
    expect((await world.call('DELETE', base)).status).toBe(405);
    const options = await world.call('OPTIONS', base, undefined, null);
    expect([options.status, options.text, options.headers['allow']]).toEqual([204, '', 'GET, HEAD, OPTIONS, POST']);
    const unknown = await world.call('GET', '/projects/1/nonsense');
    expect([unknown.status, unknown.json()]).toEqual([404, { error: '404 Not Found' }]);
    expect((await world.call('GET', `${base}/%E0%A4%A`)).status).toBe(404);
    expect((await world.call('HEAD', base)).status).toBe(200);
  });

  it('pages in the order of names with GitLab’s headers', async () => {
    const project = await world.registry.project();
    const path = `/projects/${project.id}/protected_environments`;
    for (const name of ['staging', 'development', 'production']) {
      await world.call('POST', path, { name, deploy_access_levels: [{ access_level: 40 }] });
    }
    const names = (answer: { json<T>(): T }) => answer.json<{ name: string }[]>().map((row) => row.name);
    const first = await world.call('GET', `${path}?per_page=2&search=x`);
    expect(names(first)).toEqual(['development', 'production']);
    expect(first.headers).toMatchObject({
      'x-page': '1',
      'x-per-page': '2',
      'x-next-page': '2',
      'x-prev-page': '',
      'x-total': '3',
      'x-total-pages': '2',
    });
    const address = `${world.registry.origin}/api/v4${path}`;
    const link = (page: number, rel: string) =>
      `<${address}?per_page=2&search=x&id=${project.id}&page=${page}>; rel="${rel}"`;
    expect(first.headers['link']).toBe([link(2, 'next'), link(1, 'first'), link(2, 'last')].join(', '));
    const second = await world.call('GET', `${path}?per_page=2&page=2`);
    expect([names(second), second.headers['x-next-page'], second.headers['x-prev-page']]).toEqual([
      ['staging'],
      '',
      '1',
    ]);
    const past = await world.call('GET', `${path}?page=9`);
    expect([past.status, past.json()]).toEqual([200, []]);
    expect(past.headers).toMatchObject({ 'x-page': '9', 'x-prev-page': '', 'x-next-page': '', 'x-total': '3' });
    expect(past.headers['link']).not.toMatch(/rel="(prev|next)"/);
    for (const [query, error] of [
      ['per_page=0', 'per_page has a value not allowed'],
      ['per_page=abc', 'per_page is invalid'],
    ]) {
      const answer = await world.call('GET', `${path}?${query}`);
      expect([answer.status, answer.json()]).toEqual([400, { error }]);
    }
    expect((await world.call('GET', `${path}?per_page=500`)).headers['x-per-page']).toBe('100');
    expect((await world.call('GET', `${path}?per_page=&page=-1`)).headers['x-per-page']).toBe('20');
  });
});

describe('what happens over time', () => {
  it('takes the rules of a member and of a share away with them, and stays protected when none is left', async () => {
    const project = await world.registry.project();
    const person = await world.registry.user();
    await world.registry.member(project.id, person.user.id, 30);
    const group = await makeGroup(world, 'deployers');
    await shareProject(world, group, 30, project.id);
    const path = `/projects/${project.id}/protected_environments`;
    await world.call('POST', path, {
      name: 'production',
      deploy_access_levels: [{ user_id: person.user.id }, { group_id: group.id }],
    });
    expect((await world.call('DELETE', `/projects/${project.id}/members/${person.user.id}`)).status).toBe(204);
    expect((await world.call('GET', `${path}/production`)).json()).toMatchObject({
      deploy_access_levels: [{ group_id: group.id }],
    });
    expect((await world.call('DELETE', `/projects/${project.id}/share/${group.id}`)).status).toBe(204);
    expect((await world.call('GET', `${path}/production`)).json()).toMatchObject({ deploy_access_levels: [] });
    const who = await world.call('GET', `${path}/production/access`);
    expect(who.json<{ username: string }[]>().map((row) => row.username)).toEqual(['root']);
    const events = await world.call('GET', `/projects/${project.id}/audit_events`);
    expect(events.json<{ event_name: string }[]>().map((event) => event.event_name)).toEqual([
      'share.removed',
      'environment.rules_changed',
      'member.removed',
      'environment.rules_changed',
      'environment.protected',
      'share.added',
      'member.added',
      'project.created',
    ]);
  });

  it('takes them away with a deleted user or group too', async () => {
    const person = await world.registry.user();
    await world.registry.member(1, person.user.id, 30);
    const group = await makeGroup(world, 'short-lived');
    await shareProject(world, group, 30);
    await protect('orphaned', [{ user_id: person.user.id }, { group_id: group.id }, { access_level: 60 }]);
    expect((await world.call('DELETE', `/users/${person.user.id}`)).status).toBe(204);
    expect((await world.call('DELETE', `/groups/${group.id}`)).status).toBe(202);
    expect((await world.call('GET', `${base}/orphaned`)).json()).toMatchObject({
      deploy_access_levels: [{ access_level: 60 }],
    });
  });
});

describe('who may deploy', () => {
  it('says yes or no with the rule or the reason, and lists everyone who may', async () => {
    const group = await makeGroup(world, 'releasers');
    const insider = await world.registry.user({ username: 'rob' });
    await addToGroup(world, group, insider.user, 10);
    await shareProject(world, group, 20);
    await protect('explained', [{ access_level: 40 }, { group_id: group.id }]);
    const ask = async (userId: number) =>
      (await world.call('GET', `${base}/explained/access?user_id=${userId}`)).json();
    expect(await ask(world.maintainer.user.id)).toEqual({
      allowed: true,
      reason: 'The rule for Maintainers lets mia deploy to explained.',
      rule: expect.objectContaining({ access_level: 40, access_level_description: 'Maintainers' }),
      user: { id: world.maintainer.user.id, username: 'mia', name: 'User mia' },
    });
    expect(await ask(world.developer.user.id)).toMatchObject({ allowed: false, rule: null });
    // A Guest of the group is a Guest of the project, and a rule needs a Reporter.
    expect(await ask(insider.user.id)).toMatchObject({ allowed: false, rule: null });
    const everyone = await world.call('GET', `${base}/explained/access`);
    expect(everyone.json<{ username: string }[]>().map((row) => row.username)).toEqual(['root', 'mia', 'otto']);
    expect((await world.call('GET', `${base}/explained/access?user_id=4711`)).status).toBe(404);
    expect((await world.call('GET', `${base}/explained/access`, undefined, world.developer.token)).status).toBe(403);
    const free = await world.call('GET', `${base}/unprotected/access?user_id=${world.developer.user.id}`);
    expect(free.json()).toMatchObject({ allowed: true, rule: null });
  });

  it('gives the whole matrix', async () => {
    const project = await world.registry.project();
    await world.call('POST', `/projects/${project.id}/environments`, { name: 'review/one' });
    await world.call('POST', `/projects/${project.id}/protected_environments`, {
      name: 'production',
      deploy_access_levels: [{ access_level: 60 }],
    });
    const matrix = await world.call('GET', `/projects/${project.id}/environments/access`);
    expect(matrix.json()).toMatchObject([
      { environment: 'production', protected: true, users: [{ username: 'root', allowed: true }] },
      { environment: 'review/one', protected: false, users: [{ username: 'root', allowed: true }] },
    ]);
  });
});

describe('of groups', () => {
  it('names tiers, needs an owner, and applies to projects below by the tier of their environments', async () => {
    const group = await makeGroup(world, 'tiered');
    const subgroup = await makeGroup(world, 'below', group.id);
    const owner = await world.registry.user();
    const maintainer = await world.registry.user();
    await addToGroup(world, group, owner.user, 50);
    await addToGroup(world, group, maintainer.user, 40);
    const path = `/groups/${group.id}/protected_environments`;
    const body = { name: 'production', deploy_access_levels: [{ user_id: owner.user.id }, { group_id: subgroup.id }] };
    expect((await world.call('POST', path, body, maintainer.token)).status).toBe(403);
    expect((await world.call('POST', path, body, owner.token)).status).toBe(201);
    const again = await world.call('POST', path, body, owner.token);
    expect([again.status, again.json()]).toEqual([
      409,
      { message: "Protected environment 'production' already exists" },
    ]);
    const wrong = await world.call('POST', path, { ...body, name: 'prod' }, owner.token);
    expect([wrong.status, wrong.json()]).toEqual([400, { error: 'name does not have a valid value' }]);
    expect((await world.call('GET', `${path}/staging`)).json()).toEqual({ message: '404 Not found' });

    const project = await world.registry.project({ namespaceId: subgroup.id });
    const ask = async (name: string, userId: number) =>
      (
        await world.call('GET', `/projects/${project.id}/protected_environments/${name}/access?user_id=${userId}`)
      ).json();
    expect(await ask('live', maintainer.user.id)).toMatchObject({ allowed: false });
    expect(await ask('live', owner.user.id)).toMatchObject({ allowed: true });
    expect(await ask('staging', maintainer.user.id)).toMatchObject({ allowed: true });
  });
});
