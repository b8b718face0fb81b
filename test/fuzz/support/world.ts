import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { expect } from 'vitest';
import { gitlabRoutes } from '../../../server/http/gitlab/gitlab-routes.ts';
import { instanceRoutes } from '../../../server/http/instance-routes.ts';
import { npmRoutes } from '../../../server/http/npm/npm-routes.ts';
import { methods } from '../../../server/http/route-matcher.ts';
import type { Route } from '../../../server/http/route-matcher.ts';
import type { Answer } from '../../support/http.ts';
import { TestRegistry, type TestUser } from '../../support/registry.ts';

/** Stands in everything that is private to somebody else; an answer with it in is a leak. */
export const secretMarker = 'marker-of-another-tenant';

/** A registry with two tenants, in a folder that holds nothing but its data folder. */
export class World {
  readonly gatehouse: TestRegistry;
  readonly #outside: string;
  readonly outsider: string;
  readonly insider: string;
  readonly privateProject: number;
  readonly publicProject: number;

  static async start(): Promise<World> {
    const outside = mkdtempSync(join(tmpdir(), 'gatehouse-fuzz-'));
    const dataDir = join(outside, 'data');
    mkdirSync(dataDir);
    const gatehouse = await TestRegistry.start({ dataDir });
    const outsider = await gatehouse.user({ username: 'outsider' });
    const insider = await gatehouse.user({ username: 'insider' });
    const hidden = await gatehouse.project({ path: `hidden-${secretMarker}` });
    const open = await gatehouse.project({ path: 'open', visibility: 'public' });
    await gatehouse.member(hidden.id, insider.user.id, 40);
    await gatehouse.member(open.id, outsider.user.id, 40);
    await gatehouse.publish({
      name: `hidden-${secretMarker}`,
      version: '1.0.0',
      projectId: hidden.id,
      readme: secretMarker,
      manifest: { description: secretMarker, keywords: ['shared-word'] },
    });
    await gatehouse.publish({
      name: 'pkg',
      version: '1.0.0',
      projectId: open.id,
      manifest: { keywords: ['shared-word'] },
    });
    await gatehouse.publish({ name: '@scope/pkg', version: '1.0.0', projectId: open.id });
    await hideAround(gatehouse, open.id, insider, outsider.user.id);
    await gatehouse.publish({ name: 'kept', version: '1.0.0' });
    return new World(gatehouse, outside, { outsider: outsider.token, insider: insider.token }, hidden.id, open.id);
  }

  private constructor(
    gatehouse: TestRegistry,
    outside: string,
    tokens: { outsider: string; insider: string },
    privateProject: number,
    publicProject: number,
  ) {
    this.gatehouse = gatehouse;
    this.#outside = outside;
    this.outsider = tokens.outsider;
    this.insider = tokens.insider;
    this.privateProject = privateProject;
    this.publicProject = publicProject;
  }

  async stop(): Promise<void> {
    await this.gatehouse.stop();
    rmSync(this.#outside, { recursive: true, force: true });
  }

  /** Nothing was written beside the data folder, nothing unknown in it, and no upload left anything behind. */
  async expectNothingOutside(): Promise<void> {
    expect(readdirSync(this.#outside)).toEqual(['data']);
    const known =
      /^(?:gatehouse\.(?:db|db-wal|db-shm|lock)|commits\.log|gatehouse-folder\.json|server\.json|tarballs|gatehouse-temporary|snapshots|initial_root_token|[a-z]+\.key|control\.sock)$/;
    expect(readdirSync(join(this.#outside, 'data')).filter((name) => !known.test(name))).toEqual([]);
    expect(await this.gatehouse.temporaryFiles()).toEqual([]);
    for (const folder of readdirSync(join(this.#outside, 'data', 'tarballs'))) expect(folder).toMatch(/^[0-9a-f]{2}$/);
  }
}

/**
 * Puts what an outsider may not learn around a project that he may change: its group and those that are invited to it, rules that name
 * them, and an e-mail address of somebody who publishes there.
 */
async function hideAround(
  gatehouse: TestRegistry,
  projectId: number,
  insider: TestUser,
  outsider: number,
): Promise<void> {
  const api = async (method: string, path: string, body: unknown) => {
    const answer = await gatehouse.send(method, `/api/v4${path}`, { body });
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`);
    return answer.json<{ id: number }>().id;
  };
  await api('PUT', '/groups/1', { name: secretMarker, description: secretMarker });
  await api('PUT', `/users/${insider.user.id}`, { email: `${secretMarker}@example.test` });
  await gatehouse.member(projectId, insider.user.id, 30);
  const club = { name: secretMarker, path: `club-${secretMarker}`, description: secretMarker };
  const invited = await api('POST', '/groups', club);
  await api('POST', `/groups/${invited}/members`, { user_id: insider.user.id, access_level: 30 });
  const own = await api('POST', '/groups', { name: 'own', path: 'own', visibility: 'public' });
  await api('POST', `/groups/${own}/members`, { user_id: outsider, access_level: 50 });
  for (const place of [`/projects/${projectId}`, `/groups/${own}`]) {
    await api('POST', `${place}/share`, { group_id: invited, group_access: 30 });
    await api('POST', `${place}/protected_environments`, {
      name: 'production',
      deploy_access_levels: [{ group_id: invited }],
      approval_rules: [{ group_id: invited, required_approvals: 1 }],
    });
  }
  await api('POST', `/projects/${projectId}/environments`, { name: 'production' });
  await gatehouse.publish({ name: 'by-insider', version: '1.0.0', projectId, token: insider.token });
}

/** What holds for every answer to anybody, whatever was asked. */
export function expectSafe(answer: Answer, asked: string, isOutsider: boolean): void {
  expect(answer.status, `${asked}: ${answer.text.slice(0, 300)}`).toBeLessThan(500);
  expect(answer.status, asked).toBeGreaterThanOrEqual(200);
  const all = `${JSON.stringify(answer.headers)}${answer.text}`;
  if (isOutsider) expect(all.includes(secretMarker), `${asked} told of another tenant`).toBe(false);
  // A cache between would give the answer to others: it knows nothing of the headers that GitLab takes tokens from.
  if (!asked.includes('/openapi.json'))
    expect(answer.headers['cache-control'], asked).toMatch(/\b(?:private|no-store)\b/);
  // Neither a stack nor a path of the machine; a prefix in a URL may be called node_modules.
  expect(all, asked).not.toMatch(/node:internal|\.ts:\d+|\/node_modules\/(?!-\/)|SQLITE_|gatehouse-fuzz-/);
}

/** Every route that there is, as a path with `:names` in it. */
export function everyRoute(): { method: string; pattern: string }[] {
  const prefixes = ['/api/v4/projects/:id/packages/npm', '/api/v4/groups/:id/-/packages/npm', '/api/v4/packages/npm'];
  return [
    ...callsOf(gitlabRoutes, '/api/v4'),
    ...prefixes.flatMap((prefix) => callsOf(npmRoutes, prefix, (pattern) => !pattern.startsWith('/-/'))),
    ...[...instanceRoutes.map(({ path }) => path), '/', '/favicon.ico'].map((pattern) => ({ method: 'GET', pattern })),
  ];
}

/** The calls of a table of routes, each with its method, or with every method where `withEvery` says so. */
export function callsOf(
  routes: readonly Route<unknown>[],
  prefix: string,
  withEvery: (pattern: string) => boolean = () => false,
): { method: string; pattern: string }[] {
  return routes.flatMap((route) =>
    methods
      .filter((method) => route[method] || withEvery(route.pattern))
      .map((method) => ({ method, pattern: prefix + route.pattern.replaceAll('*', ':') })),
  );
}

export const silent = pino({ level: 'silent' });
