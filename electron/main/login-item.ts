import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { app } from 'electron';
import { autostartEntry } from './autostart-entry.ts';

/** Told to a start by the system, so that it can stay in the tray. */
export const atLoginSwitch = '--started-at-login';

export interface LoginItem {
  /** Whether this copy of the app can be started at login. */
  readonly possible: boolean;
  enabled(): boolean;
  /** Throws the file system's error where the system keeps a file and it cannot be written. */
  set(enabled: boolean): void;
}

/** The system's own list of what starts at login: a file on Linux, a call elsewhere. */
export function loginItem(platform: NodeJS.Platform, environment: NodeJS.ProcessEnv): LoginItem {
  return platform === 'linux' ? linuxItem(environment) : systemItem(platform);
}

function linuxItem(environment: NodeJS.ProcessEnv): LoginItem {
  const configured = environment['XDG_CONFIG_HOME'];
  const config =
    configured !== undefined && path.isAbsolute(configured) ? configured : path.join(app.getPath('home'), '.config');
  const file = path.join(config, 'autostart', 'gatehouse.desktop');
  return {
    possible: true,
    enabled: () => existsSync(file),
    set(enabled) {
      if (!enabled) {
        rmSync(file, { force: true });
        return;
      }
      mkdirSync(path.dirname(file), { recursive: true });
      const entry = autostartEntry({
        // An AppImage runs from a mount that is another one every time; its file is named here.
        executable: environment['APPIMAGE'] ?? process.execPath,
        args: [...startArguments(), atLoginSwitch],
        environment,
      });
      writeFileSync(file, entry);
    },
  };
}

function startArguments(): string[] {
  const unsandboxed = app.commandLine.hasSwitch('no-sandbox') ? ['--no-sandbox'] : [];
  return app.isPackaged && !process.defaultApp ? unsandboxed : [...unsandboxed, app.getAppPath()];
}

/** Outside a package, the systems would start Electron itself. */
function systemItem(platform: NodeJS.Platform): LoginItem {
  const args = platform === 'win32' ? { args: [atLoginSwitch] } : {};
  return {
    possible: app.isPackaged && (platform === 'darwin' || platform === 'win32'),
    enabled: () => app.getLoginItemSettings(args).openAtLogin,
    set: (openAtLogin) => app.setLoginItemSettings({ openAtLogin, ...args }),
  };
}

/** Whether the system started the app, not the person. */
export function startedAtLogin(argv: readonly string[], platform: NodeJS.Platform): boolean {
  return argv.includes(atLoginSwitch) || (platform === 'darwin' && app.getLoginItemSettings().wasOpenedAtLogin);
}
