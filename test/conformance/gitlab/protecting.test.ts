import { describe, expect, it } from 'vitest';
import { makeGroup, protect, protections, shareProject, statusAndBody, useWorld, world } from './world.ts';

useWorld();

describe('protecting', () => {
  it('answers 201 with the object in GitLab’s shape, and the same by GET and in the list', async () => {
    const answer = await world.call('POST', protections, {
      name: 'production',
      deploy_access_levels: [{ access_level: 40 }],
    });
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
    expect((await world.call('GET', `${protections}/production`)).json()).toEqual(object);
    expect((await world.call('GET', protections)).json()).toContainEqual(object);
  });

  it('describes every kind of rule', async () => {
    const group = await makeGroup('describers');
    await shareProject(group, 10);
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
    const answer = await world.call('POST', protections, body);
    expect(statusAndBody(answer)).toEqual([400, { error }]);
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
    const answer = await world.call('POST', protections, body);
    expect(statusAndBody(answer)).toEqual([422, { message }]);
    expect((await world.call('GET', `${protections}/x`)).status).toBe(404);
  });

  it('names each user and group that does not qualify, and stores nothing', async () => {
    const group = await makeGroup('uninvited');
    const answer = await world.call('POST', protections, {
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
    expect(statusAndBody(answer)).toEqual([
      422,
      {
        message: [
          `Deploy access levels user ${world.reporter.user.id} does not have Developer access to the project`,
          `Deploy access levels user ${world.outsider.user.id} does not have Developer access to the project`,
          'Deploy access levels user 999 does not exist',
          `Deploy access levels group ${group.id} is not invited to the project`,
          'Deploy access levels group 1 is not invited to the project',
          'Deploy access levels group 998 is not invited to the project',
        ],
      },
    ]);
    expect((await world.call('GET', `${protections}/unqualified`)).status).toBe(404);
  });

  it('refuses a second protection of a name, and the deprecated count before that', async () => {
    await protect('twice');
    const again = await world.call('POST', protections, { name: 'twice', deploy_access_levels: [{ user_id: 999 }] });
    expect(statusAndBody(again)).toEqual([409, { message: "Environment 'twice' is already protected" }]);
    const counted = await world.call('POST', protections, {
      name: 'twice',
      deploy_access_levels: [{ access_level: 40 }],
      required_approval_count: 1,
    });
    expect(counted.status).toBe(422);
    expect(counted.json()['message']).toMatch(/^Parameter 'required_approval_count' is deprecated/);
    const negative = (name: string) =>
      world.call('POST', protections, {
        name,
        deploy_access_levels: [{ access_level: 40 }],
        required_approval_count: -1,
      });
    expect((await negative('twice')).status).toBe(409);
    const refused = await negative('uncounted');
    expect(statusAndBody(refused)).toEqual([
      422,
      { message: ['Required approval count must be greater than or equal to 0'] },
    ]);
  });

  it('lets one of many through who protect, change or unprotect the same at once', async () => {
    const statuses = async (method: string, path: string, body?: unknown) => {
      const answers = await Promise.all(Array.from({ length: 100 }, () => world.call(method, path, body)));
      return Object.groupBy(
        answers.map(({ status }) => status),
        String,
      );
    };
    const many = { length: 99 };
    const levels = (level: number) => ({ deploy_access_levels: [{ access_level: level }] });
    const made = await statuses('POST', protections, { name: 'raced', ...levels(40) });
    expect(made).toMatchObject({ 201: [201], 409: many });
    expect(await statuses('PUT', `${protections}/raced`, levels(30))).toMatchObject({ 200: [200], 422: many });
    expect(await statuses('DELETE', `${protections}/raced`)).toMatchObject({ 204: [204], 404: many });
  });

  it('takes forms, queries and multipart bodies, and coerces numbers', async () => {
    const form = await world.registry.send('POST', `/api/v4${protections}`, {
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: `name=form&deploy_access_levels[][access_level]=40&deploy_access_levels[][user_id]=${world.developer.user.id}`,
    });
    // Rack’s rule: a new element begins only where a name repeats, so that was one entry with two selectors.
    expect(form.status).toBe(422);
    const query = await world.call(
      'POST',
      `${protections}?name=query&deploy_access_levels%5B%5D%5Baccess_level%5D=40.5`,
    );
    expect(statusAndBody(query)).toMatchObject([201, { deploy_access_levels: [{ access_level: 40 }] }]);
    const multipart = await world.registry.send('POST', `/api/v4${protections}`, {
      headers: { 'content-type': 'multipart/form-data; boundary=XX' },
      body: '--XX\r\nContent-Disposition: form-data; name="name"\r\n\r\nmulti\r\n--XX\r\nContent-Disposition: form-data; name="deploy_access_levels[][access_level]"\r\n\r\n30\r\n--XX--\r\n',
    });
    expect(statusAndBody(multipart)).toMatchObject([201, { name: 'multi' }]);
  });

  it('refuses what it cannot read', async () => {
    const send = (type: string, body: string) =>
      world.registry.send('POST', `/api/v4${protections}`, { headers: { 'content-type': type }, body });
    const xml = await send('text/xml', '<a/>');
    expect(statusAndBody(xml)).toEqual([415, { error: "The provided content-type 'text/xml' is not supported." }]);
    const broken = await send('application/json', '{"name":');
    expect(broken.status).toBe(400);
    expect(broken.json()['error']).toContain('message body does not match declared format');
    const plain = await send('text/plain', 'name=x');
    expect(plain.json()).toEqual({ error: 'name is missing, deploy_access_levels is missing' });
    const large = await send('application/json', JSON.stringify({ name: 'x'.repeat(2_000_000) }));
    expect(large.status).toBe(413);
  });
});
