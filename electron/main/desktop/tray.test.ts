import type { MenuItem, MenuItemConstructorOptions } from 'electron';
import { describe, expect, it, vi } from 'vitest';
import type { AppState } from '../../../server/contract/bridge.ts';

vi.mock('electron', () => ({}));
const { trayTemplate, trayTip } = await import('./tray.ts');

const ready: AppState = { phase: 'ready', origin: 'http://127.0.0.1:4899', port: 4899, pid: 1, answering: true };

function menu(
  state: AppState,
  offline: boolean | null,
  done: string[] = [],
  waiting = 0,
): MenuItemConstructorOptions[] {
  const content = { state, offline, waiting };
  return trayTemplate(content, {
    open: () => done.push('open'),
    openInbox: () => done.push('inbox'),
    copyAddress: (origin) => done.push(`copy ${origin}`),
    setOffline: (value) => done.push(`offline ${value}`),
    quit: () => done.push('quit'),
  });
}

describe('the menu in the tray', () => {
  it('offers the address of a registry that serves', () => {
    const done: string[] = [];
    const items = menu(ready, false, done);
    for (const item of items) {
      item.click?.({ checked: true } as MenuItem, undefined, {});
    }
    expect(done).toEqual(['open', 'copy http://127.0.0.1:4899', 'offline true', 'quit']);
  });

  it('leads to the releases that wait, while there are some', () => {
    const done: string[] = [];
    const entry = menu(ready, false, done, 2).find((item) => item.label === '2 Requests Wait for Approval');
    entry?.click?.({} as MenuItem, undefined, {});
    expect(done).toEqual(['inbox']);
    expect(menu(ready, false, [], 1).some((item) => item.label === '1 Request Waits for Approval')).toBe(true);
    expect(menu({ phase: 'starting' }, null, [], 2).some((item) => item.label?.includes('Wait'))).toBe(false);
  });

  it('says why there is no address', () => {
    const items = menu({ phase: 'starting' }, null);
    expect(items.find((item) => item.label?.startsWith('Copy'))).toBeUndefined();
    expect(items.find((item) => item.label === 'Work Offline')).toMatchObject({ enabled: false });
    expect(items.some((item) => item.label === trayTip({ phase: 'starting' }))).toBe(true);
  });

  it('shows whether the switch is on', () => {
    expect(menu(ready, true).find((item) => item.label === 'Work Offline')).toMatchObject({ checked: true });
    expect(menu(ready, false).find((item) => item.label === 'Work Offline')).toMatchObject({ checked: false });
  });
});
