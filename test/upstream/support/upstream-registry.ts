import type { Actor } from '../../../server/accounts/change.ts';
import type { UpstreamRow } from '../../../server/upstream/upstream-store.ts';
import type { NewUpstream } from '../../../server/upstream/upstreams.ts';
import { TestRegistry } from '../../support/registry.ts';
import type { TestRegistryOptions } from '../../support/registry.ts';

export const rootActor: Actor = { userId: 1, username: 'root', origin: 'cli', address: null };

/** A clock that stands still until a test moves it. */
export class HandClock {
  now = Date.now();

  readonly read = (): number => this.now;

  pass(seconds: number): void {
    this.now += seconds * 1000;
  }
}

export async function startWithClock(
  options: TestRegistryOptions = {},
): Promise<{ registry: TestRegistry; clock: HandClock }> {
  const clock = new HandClock();
  const registry = await TestRegistry.start({ ...options, upstream: { clock: clock.read } });
  return { registry, clock };
}

/** Sets up an upstream with settings that suit a test unless others are given. */
export function addUpstream(
  { registry }: TestRegistry,
  url: string,
  settings: Partial<NewUpstream> = {},
): Promise<UpstreamRow> {
  return registry.upstream.upstreams.create(
    {
      name: 'elsewhere',
      kind: 'npm',
      url,
      pushUrl: null,
      scopes: ['*'],
      enabled: true,
      minimumAgeDays: 0,
      minimumAgeExceptions: [],
      freshSeconds: 60,
      budgetMilliseconds: 3_000,
      pushSelection: [],
      autoPush: false,
      token: null,
      ...settings,
    },
    rootActor,
  );
}
