import { describe, expect, it } from 'vitest';
import type { Caller } from '../contract/methods.ts';
import { callMethod, type MethodTable } from './call-method.ts';

const table: Partial<MethodTable> = {
  'packages.removeTag': () => undefined,
  'offline.get': () => ({ mode: 'on', online: false, unsent: [] }),
  'environments.exportRules': ({ projectId }) => ({ yaml: `project ${projectId}` }),
};
const call = (caller: Caller, method: string, params: unknown) => callMethod(table, caller, method, params);

describe('a call over the control link', () => {
  it.each([
    ['window', 'offline.get', true],
    ['app', 'offline.get', true],
    ['cli', 'offline.get', true],
    ['window', 'packages.removeTag', true],
    ['app', 'packages.removeTag', false],
    ['cli', 'packages.removeTag', false],
    ['window', 'environments.exportRules', false],
    ['cli', 'environments.exportRules', true],
    ['window', 'connect.writeFor', false],
    ['window', 'server.recordReach', false],
  ] as const)('%s may call %s: %s', async (caller, method, allowed) => {
    const params = { packageId: 1, tag: 'next', projectId: 1 };
    const outcome = await call(caller, method, params).then(
      () => true,
      (error: { code: string }) => error.code,
    );
    expect(outcome).toBe(allowed || 'invalid_request');
  });

  it.each(['server.shutdown', 'toString', '__proto__'])('there is no method %s', async (method) => {
    await expect(call('window', method, {})).rejects.toMatchObject({ code: 'invalid_request' });
  });

  it('is refused with what is wrong about its parameters', async () => {
    await expect(call('window', 'packages.removeTag', { packageId: '1; drop table packages' })).rejects.toMatchObject({
      code: 'invalid_request',
      details: { messages: [expect.stringMatching(/^packageId: /), expect.stringMatching(/^tag: /)] },
    });
  });

  it('answers null where there is nothing to return', async () => {
    expect(await call('window', 'packages.removeTag', { packageId: 1, tag: 'next' })).toBeNull();
  });
});
