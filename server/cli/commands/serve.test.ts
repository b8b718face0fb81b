import { afterEach, expect, it, vi } from 'vitest';
import { serveCommand } from './serve.ts';

afterEach(() => vi.unstubAllEnvs());

/** The address that the server would listen on. */
function hostFrom(...args: string[]): unknown {
  return serveCommand()
    .action(() => undefined)
    .parse(args, { from: 'user' })
    .opts()['host'];
}

it('serves this computer alone unless an address is named, also with an empty one', () => {
  expect(hostFrom()).toBe('127.0.0.1');
  vi.stubEnv('GATEHOUSE_HOST', '0.0.0.0');
  expect(hostFrom()).toBe('0.0.0.0');
  vi.stubEnv('GATEHOUSE_HOST', '');
  expect(hostFrom()).toBe('127.0.0.1');
  expect(hostFrom('--host', '')).toBe('127.0.0.1');
});
