import type * as api from './api.ts';
import { startRegistry } from './start-registry.ts';

/** The hooks of a test runner, in the words of Vitest. */
export interface Hooks {
  readonly beforeAll: (hook: () => Promise<void>) => void;
  readonly beforeEach: (hook: () => Promise<void>) => void;
  readonly afterAll: (hook: () => Promise<void>) => void;
}

/** `useRegistry` for a test runner. */
export function useRegistryWith(hooks: Hooks): typeof api.useRegistry {
  return <Name extends string>(options: api.StartOptions<Name> = {}) => {
    let started: api.EmbeddedRegistry<Name> | undefined;
    hooks.beforeAll(async () => {
      started = await startRegistry(options);
    });
    if (options.dataDir === undefined) hooks.beforeEach(async () => started?.reset());
    hooks.afterAll(async () => started?.close());
    return new Proxy({} as api.EmbeddedRegistry<Name>, {
      get(_target, key) {
        if (!started) throw new Error('The registry has not started yet: use it in a hook or a test.');
        return Reflect.get(started, key) as unknown;
      },
    });
  };
}
