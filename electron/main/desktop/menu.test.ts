import type { MenuItemConstructorOptions } from 'electron';
import { describe, expect, it } from 'vitest';
import { menuTemplate } from './menu.ts';

function items(platform: NodeJS.Platform, commands: string[]): MenuItemConstructorOptions[] {
  const none = (): void => undefined;
  const others = { newWindow: none, showDataFolder: none, restartServer: none };
  const template = menuTemplate(platform, { command: (command) => commands.push(command), ...others });
  return template.flatMap((menu) => (Array.isArray(menu.submenu) ? menu.submenu : []));
}

describe('the application menu', () => {
  it('sends its commands to the window', () => {
    const commands: string[] = [];
    const environments = items('linux', commands).find((item) => item.label === 'Environments');
    (environments as { click: () => void }).click();
    expect(commands).toEqual(['show-environments']);
  });

  it('gives no shortcut twice', () => {
    for (const platform of ['linux', 'darwin', 'win32'] as const) {
      const accelerators = items(platform, []).flatMap((item) => item.accelerator ?? []);
      expect(new Set(accelerators).size).toBe(accelerators.length);
    }
  });
});
