import { afterAll, beforeAll, expect } from 'vitest';
import type { MemberLevel } from '../../../server/contract/levels.ts';
import type { NamespaceRecord, UserRecord } from '../../../server/accounts/records.ts';
import { systemActor } from '../../../server/accounts/change.ts';
import type { Answer } from '../../support/http.ts';
import { TestRegistry, type TestUser } from '../../support/registry.ts';

/** A listening registry with one person in every role of the project `local/packages`. */
export interface World {
  readonly registry: TestRegistry;
  readonly outsider: TestUser;
  readonly guest: TestUser;
  readonly reporter: TestUser;
  readonly developer: TestUser;
  readonly maintainer: TestUser;
  readonly owner: TestUser;
  /** Calls the API with root's token unless another, or undefined for none, is given; the path begins after /api/v4. */
  call(method: string, path: string, body?: unknown, token?: string | null): Promise<Answer>;
}

/** The world of this file's tests, once `useWorld` has started it. */
export let world: World;

/** Starts a world before the tests of a file, and stops it after them. */
export function useWorld(): void {
  beforeAll(async () => {
    world = await startWorld();
  });
  afterAll(() => world.registry.stop());
}

async function startWorld(): Promise<World> {
  const registry = await TestRegistry.start();
  const member = async (username: string, level: MemberLevel | 0) => {
    const person = await registry.user({ username });
    if (level > 0) await registry.member(1, person.user.id, level as MemberLevel);
    return person;
  };
  return {
    registry,
    outsider: await member('olivia', 0),
    guest: await member('gus', 10),
    reporter: await member('rita', 20),
    developer: await member('dan', 30),
    maintainer: await member('mia', 40),
    owner: await member('otto', 50),
    call: (method, path, body, token) =>
      registry.send(method, `/api/v4${path}`, {
        ...(token === undefined ? {} : { token: token ?? undefined }),
        ...(body === undefined ? {} : { body }),
      }),
  };
}

/** A group, top-level unless a parent is given; nobody is a member of it. */
export function makeGroup(path: string, parentId: number | null = null): Promise<NamespaceRecord> {
  const input = { name: path, path, parentId, description: '', visibility: 'private' } as const;
  return world.registry.registry.people.groups.create(systemActor, input);
}

export async function addToGroup(group: NamespaceRecord, user: UserRecord, level: MemberLevel) {
  const container = { kind: 'group', id: group.id } as const;
  await world.registry.registry.people.members.add(systemActor, container, { userId: user.id, level, expiresOn: null });
}

export async function shareProject(group: NamespaceRecord, level: MemberLevel, projectId = 1) {
  const container = { kind: 'project', id: projectId } as const;
  await world.registry.registry.people.shares.add(systemActor, container, {
    groupId: group.id,
    level,
    expiresOn: null,
  });
}

/** The protected environments of the project `local/packages`. */
export const protections = '/projects/1/protected_environments';

/** Protects an environment of `local/packages`; fails the test if that is refused. */
export async function protect(name: string, levels: unknown = [{ access_level: 40 }]) {
  const answer = await world.call('POST', protections, { name, deploy_access_levels: levels });
  expect(answer.status, answer.text).toBe(201);
  return answer.json<{ name: string; deploy_access_levels: { id: number }[] }>();
}

/** `world.call`, but only status and body. */
export async function ask(...request: Parameters<World['call']>) {
  return statusAndBody(await world.call(...request));
}

export function statusAndBody(answer: Answer): [status: number, body: unknown] {
  return [answer.status, answer.text === '' ? '' : answer.json()];
}

/** Status and body with which helpers and models refuse. */
export const refusal = (status: number, text: unknown) => [status, { message: text }];

/** Status and body with which the parameter layer refuses. */
export const invalid = (text: string) => [400, { error: text }];
