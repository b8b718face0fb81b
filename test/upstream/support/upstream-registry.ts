import { randomBytes } from 'node:crypto';
import { expect } from 'vitest';
import type { OutboxStatus } from '../../../server/contract/outbox.ts';
import type { Actor } from '../../../server/accounts/change.ts';
import type { UpstreamRow } from '../../../server/upstream/upstream-store.ts';
import type { NewUpstream } from '../../../server/upstream/upstreams.ts';
import { encodeName, TestRegistry } from '../../support/registry.ts';
import type { TestRegistryOptions } from '../../support/registry.ts';

export const rootActor: Actor = { userId: 1, username: 'root', origin: 'cli', address: null };

/** A clock that stands still until a test moves it. */
export class ManualClock {
  now = Date.now();

  readonly read = (): number => this.now;

  pass(seconds: number): void {
    this.now += seconds * 1000;
  }
}

/** A registry whose upstream parts use a manual clock. */
export async function startWithClock(
  options: TestRegistryOptions = {},
): Promise<{ registry: TestRegistry; clock: ManualClock }> {
  const clock = new ManualClock();
  const registry = await TestRegistry.start({ ...options, upstream: { clock: clock.read } });
  return { registry, clock };
}

/** Sets up an upstream with the default settings unless others are given; names of every scope come from there, the first project's packages go there. */
export function addUpstream(
  { registry }: TestRegistry,
  url: string,
  settings: Partial<NewUpstream> = {},
): Promise<UpstreamRow> {
  const pushFrom = { projectIds: [1] };
  const input = { name: 'elsewhere', kind: 'npm', url, scopes: ['*'], pushFrom, ...settings } as const;
  return registry.upstream.upstreams.create(input, rootActor);
}

/** Pushes to an upstream and waits for the end. */
export async function pushTo(
  { registry }: TestRegistry,
  upstream: UpstreamRow,
  selection: string[] = [],
): Promise<OutboxStatus> {
  await registry.upstream.outbox.start(upstream.id, selection, rootActor);
  return pushEnded({ registry }, upstream);
}

/** The outcome of the push that is running. */
export async function pushEnded(
  { registry }: Pick<TestRegistry, 'registry'>,
  upstream: UpstreamRow,
): Promise<OutboxStatus> {
  const { outbox } = registry.upstream;
  await expect.poll(() => outbox.status(upstream.id).running, { timeout: 30_000 }).toBe(false);
  return outbox.status(upstream.id);
}

export interface Packument {
  'dist-tags': Record<string, string>;
  versions: Record<string, { deprecated?: string; dist: { integrity: string; tarball: string } }>;
}

/** A package as the project of a registry shows it; undefined where it is not found. */
export async function readPackument(registry: TestRegistry, name: string): Promise<Packument | undefined> {
  const answer = await registry.get(`${registry.projectPath()}/${encodeName(name)}`);
  return answer.status === 404 ? undefined : answer.json<Packument>();
}

/** Bytes that do not compress. */
export const noise = randomBytes;
