import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { systemActor } from '../../server/accounts/change.ts';
import type { Visibility } from '../../server/contract/levels.ts';
import { gitlabRoutes } from '../../server/http/gitlab/gitlab-routes.ts';
import type { Answer } from '../support/http.ts';
import { TestRegistry } from '../support/registry.ts';
import { groupRows, npmRows, projectRows } from './support/authorisation-table.ts';
import type { Level, Row } from './support/authorisation-table.ts';
import { callsOf } from './support/world.ts';

const visibilities = ['private', 'internal', 'public'] as const;
const roles = { guest: 10, planner: 15, reporter: 20, developer: 30, maintainer: 40, owner: 50 } as const;
type Role = keyof typeof roles;
const callers = ['anonymous', 'stranger', 'external', 'blocked', ...(Object.keys(roles) as Role[]), 'admin'] as const;
type Caller = (typeof callers)[number];

const ranks: Readonly<Record<Level, number>> = {
  anyone: -2,
  'signed-in': -1,
  guest: 10,
  reporter: 20,
  developer: 30,
  maintainer: 40,
  owner: 50,
  admin: 60,
};

interface Place {
  readonly group: number;
  readonly project: number;
  readonly environment: number;
  readonly package: number;
  readonly packageFile: number;
  readonly projectEvent: number;
  readonly groupEvent: number;
}

let gatehouse: TestRegistry;
const tokens = new Map<Caller, string>();
const ids = new Map<Caller, number>();
/** Somebody whose membership calls are about. */
let bystander = 0;
let invited = 0;
const places = new Map<Visibility, Place>();
let count = 0;

beforeAll(async () => {
  gatehouse = await TestRegistry.start();
  for (const caller of callers) {
    if (caller === 'anonymous') continue;
    const made = await gatehouse.user({
      username: caller,
      isAdmin: caller === 'admin',
      external: caller === 'external',
    });
    tokens.set(caller, made.token);
    ids.set(caller, made.user.id);
  }
  bystander = (await gatehouse.user({ username: 'bystander' })).user.id;
  invited = await created('POST', '/groups', { name: 'invited', path: 'invited', visibility: 'public' });
  for (const visibility of visibilities) places.set(visibility, await makePlace(visibility));
  // Last, since a blocked user can be made a member of nothing.
  await gatehouse.directory.users.setBlocked(systemActor, ids.get('blocked') ?? 0, true);
});
afterAll(() => gatehouse.stop());

async function api(method: string, path: string, body?: unknown): Promise<Answer> {
  const answer = await gatehouse.send(method, `/api/v4${path}`, body === undefined ? {} : { body });
  if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`);
  return answer;
}

async function created(method: string, path: string, body: unknown): Promise<number> {
  return (await api(method, path, body)).json<{ id: number }>().id;
}

/** A group with a member of each role, a project in it, and in both one of everything that calls are about. */
async function makePlace(visibility: Visibility): Promise<Place> {
  count += 1;
  const group = await created('POST', '/groups', { name: `g${count}`, path: `g${count}`, visibility });
  for (const [role, level] of Object.entries(roles)) {
    await api('POST', `/groups/${group}/members`, { user_id: ids.get(role as Role), access_level: level });
  }
  await api('POST', `/groups/${group}/members`, { user_id: bystander, access_level: 20 });
  const project = await created('POST', '/projects', {
    name: `p${count}`,
    path: `p${count}`,
    namespace_id: group,
    visibility,
  });
  await api('POST', `/projects/${project}/members`, { user_id: bystander, access_level: 30 });
  for (const holder of [`/projects/${project}`, `/groups/${group}`]) {
    await api('POST', `${holder}/share`, { group_id: invited, group_access: 10 });
    await api('POST', `${holder}/protected_environments`, {
      name: 'production',
      deploy_access_levels: [{ access_level: 40 }],
    });
  }
  const environment = await created('POST', `/projects/${project}/environments`, { name: 'review/one' });
  // Only a stopped one can be deleted.
  await api('POST', `/projects/${project}/environments/${environment}/stop`);
  await api('PUT', `/projects/${project}/packages/npm/guards/guarded-tag`, { environment: 'guarded' });
  await gatehouse.publish({ name: 'pkg', version: '1.0.0', projectId: project });
  await gatehouse.publish({ name: 'pkg', version: '1.1.0', projectId: project });
  await api('PUT', `/projects/${project}/packages/npm/-/package/pkg/dist-tags/beta`, '"1.0.0"');
  const [listed] = (await api('GET', `/projects/${project}/packages`)).json<{ id: number }[]>();
  const [file] = (await api('GET', `/projects/${project}/packages/${listed?.id}/package_files`)).json<
    { id: number }[]
  >();
  const [projectEvent] = (await api('GET', `/projects/${project}/audit_events`)).json<{ id: number }[]>();
  const [groupEvent] = (await api('GET', `/groups/${group}/audit_events`)).json<{ id: number }[]>();
  return {
    group,
    project,
    environment,
    package: listed?.id ?? 0,
    packageFile: file?.id ?? 0,
    projectEvent: projectEvent?.id ?? 0,
    groupEvent: groupEvent?.id ?? 0,
  };
}

function fill(pattern: string, place: Place): string {
  const isGroup = pattern.startsWith('/groups');
  const values: Record<string, string | number> = {
    ':id': isGroup ? place.group : place.project,
    ':name': 'production',
    ':pattern': 'guarded-tag',
    ':environment_id': place.environment,
    ':user_id': bystander,
    ':group_id': invited,
    ':audit_event_id': isGroup ? place.groupEvent : place.projectEvent,
    ':package_id': place.package,
    ':package_file_id': place.packageFile,
  };
  return pattern.replaceAll(/:[a-z_]+/g, (name) => String(values[name] ?? name));
}

function rankOf(caller: Caller, visibility: Visibility): number {
  if (caller === 'admin') return 100;
  if (caller === 'anonymous') return -2;
  if (caller === 'stranger') return -1;
  // An external user has no part in what is internal.
  if (caller === 'external') return visibility === 'public' ? -1 : -1.5;
  return caller === 'blocked' ? -3 : roles[caller];
}

/** What the table says that a caller hears: `in`, or the status of the refusal. */
function expected(row: Row, caller: Caller, visibility: Visibility): 'in' | 401 | 403 | 404 {
  if (caller === 'blocked') return 403;
  const level = row.levels[visibilities.indexOf(visibility)] ?? 'admin';
  if (rankOf(caller, visibility) >= ranks[level]) return 'in';
  if (caller === 'anonymous') {
    if (row.anonymous === 'sign-in') return 401;
    return visibility === 'public' ? 403 : 404;
  }
  const isSeen =
    caller !== 'stranger' && caller !== 'external'
      ? true
      : visibility === 'public' || (visibility === 'internal' && caller === 'stranger');
  return isSeen ? 403 : 404;
}

/** What a caller heard: anything but a refusal means that it was let in, also a complaint about the body. */
function heard(answer: Answer, caller: Caller): 'in' | number {
  if (answer.status === 401 || answer.status === 403) return answer.status;
  // Members can see the project, so their 404 is about something in it.
  if (answer.status === 404 && (caller === 'anonymous' || caller === 'stranger' || caller === 'external')) return 404;
  return answer.status >= 500 ? answer.status : 'in';
}

async function walk(method: string, pattern: string, row: Row): Promise<void> {
  const differences: string[] = [];
  for (const visibility of visibilities) {
    for (const caller of callers) {
      const isLetIn = expected(row, caller, visibility) === 'in';
      const shared = places.get(visibility) as Place;
      const place = row.destroys && isLetIn ? await makePlace(visibility) : shared;
      const answer = await gatehouse.send(method, `/api/v4${fill(pattern, place)}`, {
        token: tokens.get(caller),
        ...(row.body === undefined ? {} : { body: row.body }),
        ...(row.headers ? { headers: row.headers } : {}),
      });
      const [wanted, got] = [expected(row, caller, visibility), heard(answer, caller)];
      if (wanted !== got)
        differences.push(
          `${visibility} ${caller}: the table says ${wanted}, heard ${answer.status} ${answer.text.slice(0, 120)}`,
        );
    }
  }
  expect(differences).toEqual([]);
}

describe('every route of a project or a group has a row in the table', () => {
  const rows = new Set([...Object.keys(projectRows), ...Object.keys(groupRows)]);
  const routes = callsOf(gitlabRoutes, '')
    .map((route) => `${route.method} ${route.pattern}`)
    .filter((route) => / \/(?:projects|groups)\/:id/.test(route));
  test('and every row a route', () => {
    expect(routes.toSorted()).toEqual([...rows].toSorted());
  });
});

describe('GitLab’s API', () => {
  test.each(Object.entries({ ...projectRows, ...groupRows }))(
    '%s lets in exactly who the table says',
    async (route, row) => {
      const [method = '', pattern = ''] = route.split(' ');
      await walk(method, pattern, row);
    },
  );
});

describe('the npm API', () => {
  test.each(Object.entries(npmRows))('%s lets in exactly who the table says', async (route, row) => {
    const [method = '', path = ''] = route.split(' ');
    await walk(method, `/projects/:id/packages/npm${path}`, row);
  });

  test('shows at group and instance prefixes exactly the projects that the caller can read', async () => {
    const row = npmRows['GET /pkg'] as Row;
    for (const caller of callers) {
      const readable = visibilities.filter((visibility) => expected(row, caller, visibility) === 'in');
      const token = tokens.get(caller);
      for (const visibility of visibilities) {
        const place = places.get(visibility) as Place;
        const answer = await gatehouse.get(`/api/v4/groups/${place.group}/-/packages/npm/pkg`, { token });
        expect(answer.status === 200, `${caller} in the ${visibility} group: ${answer.status}`).toBe(
          readable.includes(visibility),
        );
      }
      const instance = await gatehouse.get('/api/v4/packages/npm/pkg', { token });
      expect(instance.status === 200, `${caller} at the instance: ${instance.status}`).toBe(readable.length > 0);
      const found = await gatehouse.get('/api/v4/packages/npm/-/v1/search?text=pkg&size=100', { token });
      if (found.status === 200) {
        const names = found.json<{ objects: unknown[] }>().objects.length;
        expect(names > 0, `${caller} searches`).toBe(readable.length > 0);
      }
    }
  });
});

describe('calls that are about no project or group', () => {
  const rows: [string, string, Partial<Record<Caller, number>>, unknown?][] = [
    ['GET', '/user', { anonymous: 401, stranger: 200, blocked: 403, admin: 200 }],
    ['GET', '/users', { anonymous: 403, stranger: 200, blocked: 403, admin: 200 }],
    ['POST', '/users', { anonymous: 401, stranger: 403, owner: 403, blocked: 403, admin: 400 }, {}],
    ['PUT', '/users/1', { anonymous: 401, stranger: 403, owner: 403, blocked: 403, admin: 400 }, { email: 'x' }],
    ['DELETE', '/users/99999', { anonymous: 401, stranger: 403, owner: 403, blocked: 403, admin: 404 }],
    ['POST', '/users/99999/block', { anonymous: 401, stranger: 403, owner: 403, blocked: 403, admin: 404 }],
    ['POST', '/users/99999/unblock', { anonymous: 401, stranger: 403, owner: 403, blocked: 403, admin: 404 }],
    [
      'POST',
      '/users/1/personal_access_tokens',
      { anonymous: 401, stranger: 403, owner: 403, blocked: 403, admin: 400 },
      {},
    ],
    ['POST', '/projects/user/1', { anonymous: 401, stranger: 403, owner: 403, blocked: 403, admin: 400 }, {}],
    ['GET', '/audit_events', { anonymous: 401, stranger: 403, owner: 403, blocked: 403, admin: 200 }],
    ['GET', '/audit_events/1', { anonymous: 401, stranger: 403, owner: 403, blocked: 403, admin: 200 }],
    ['GET', '/personal_access_tokens', { anonymous: 401, stranger: 200, blocked: 403, admin: 200 }],
    ['GET', '/version', { anonymous: 401, stranger: 200, blocked: 403, admin: 200 }],
    ['GET', '/metadata', { anonymous: 401, stranger: 200, blocked: 403, admin: 200 }],
    ['GET', '/namespaces', { anonymous: 401, stranger: 200, blocked: 403, admin: 200 }],
    ['POST', '/groups', { anonymous: 401, stranger: 400, blocked: 403, admin: 400 }, {}],
    ['POST', '/projects', { anonymous: 401, stranger: 400, blocked: 403, admin: 400 }, {}],
  ];
  test.each(rows)('%s %s', async (method, path, statuses, body) => {
    for (const [caller, status] of Object.entries(statuses)) {
      const answer = await gatehouse.send(method, `/api/v4${path}`, {
        token: tokens.get(caller as Caller),
        ...(body === undefined ? {} : { body }),
      });
      expect(answer.status, `${caller}: ${answer.text.slice(0, 200)}`).toBe(status);
    }
  });

  test('lists show nobody what he may not see', async () => {
    for (const caller of ['anonymous', 'stranger', 'external'] as const) {
      const token = tokens.get(caller);
      for (const path of ['/projects?per_page=100', '/groups?per_page=100']) {
        const answer = await gatehouse.get(`/api/v4${path}`, { token });
        if (answer.status !== 200) continue;
        const listed = answer.json<{ visibility: Visibility }[]>().map((row) => row.visibility);
        expect(listed).not.toContain('private');
        if (caller !== 'stranger') expect(listed).not.toContain('internal');
      }
    }
  });
});
