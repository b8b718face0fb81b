import { describe, expect, it } from 'vitest';
import { electronEnvironment, electronSwitches } from './electron-launch.ts';

const modern = { folder: '/e', executable: '/e/electron', version: '45.4.1', nodeTooOld: false };

describe('how the app is started from the checkout', () => {
  it('leaves the sandbox out for root alone', () => {
    expect(electronSwitches(true)).toEqual(['--no-sandbox']);
    expect(electronSwitches(false)).toEqual([]);
  });

  it('lets flags beat the environment', () => {
    const env = electronEnvironment(modern, ['--port', '5000', '--data-dir=/d'], { GATEHOUSE_PORT: '1', HOME: '/h' });
    expect(env).toEqual({ GATEHOUSE_PORT: '5000', GATEHOUSE_DATA_DIR: '/d', HOME: '/h' });
  });

  it('drops an inherited ELECTRON_RUN_AS_NODE', () => {
    expect(electronEnvironment(modern, [], { ELECTRON_RUN_AS_NODE: '1' })).toEqual({});
  });

  it("gives the server this Node where Electron's is too old, unless one was named", () => {
    const old = { ...modern, version: '33.2.1', nodeTooOld: true };
    expect(electronEnvironment(old, [], {})).toEqual({ GATEHOUSE_NODE: process.execPath });
    expect(electronEnvironment(old, [], { GATEHOUSE_NODE: '/n' })).toEqual({ GATEHOUSE_NODE: '/n' });
  });
});
