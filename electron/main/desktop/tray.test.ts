import type { MenuItem, MenuItemConstructorOptions } from 'electron';
import { describe, expect, it, vi } from 'vitest';
import type { AppState } from '../../../server/contract/bridge.ts';

vi.mock('electron', () => ({}));
const { trayTemplate, trayTip } = await import('./tray.ts');

const ready: AppState = { phase: 'ready', origin: 'http://127.0.0.1:4899', port: 4899, pid: 1, answering: true };

function menu(state: AppState, offline: boolean | null, done: string[] = []): MenuItemConstructorOptions[] {
  return trayTemplate(state, offline, {
    open: () => done.push('open'),
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
