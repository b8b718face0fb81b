import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import { TestRegistry } from './registry.ts';

/** The registry of this file's tests, once `useRegistry` has started it. */
export let kit: TestRegistry;

/** Starts a registry for each test, or one for all tests of a file, and stops it afterwards. */
export function useRegistry(lifetime: 'test' | 'file'): void {
  const [before, after] = lifetime === 'test' ? [beforeEach, afterEach] : [beforeAll, afterAll];
  before(async () => {
    kit = await TestRegistry.start();
  });
  after(() => kit.stop());
}
