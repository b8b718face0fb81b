import { describe, expect, test } from 'vitest';
import { useRegistryWith } from './use-registry.ts';
import { useRegistry } from './vitest.ts';

const sock = { manifest: { name: 'sock', version: '1.0.0' } };

describe('useRegistry', () => {
  const registry = useRegistry({ packages: [{ manifest: { name: 'shoe', version: '1.0.0' } }] });

  test.each(['first', 'second'])('the %s test finds what was there at the start, and nothing else', async () => {
    expect(await registry.packument('shoe')).toBeDefined();
    expect(await registry.packument('sock')).toBeUndefined();
    await registry.publish(sock);
    expect(await registry.packument('sock')).toBeDefined();
  });
});

test('a registry that has not started says so', () => {
  const never = (): void => undefined;
  const registry = useRegistryWith({ beforeAll: never, beforeEach: never, afterAll: never })();
  expect(() => registry.url).toThrow('has not started yet');
});
