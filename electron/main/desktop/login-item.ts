import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { app } from 'electron';

/** Marks a start by the system, which may stay in the tray. */
export const atLoginSwitch = '--started-at-login';

export interface LoginItem {
  /** Whether this copy of the app can be started at login. */
  readonly possible: boolean;
  enabled(): boolean;
  /** Throws the file system's error if the file cannot be written. */
  set(enabled: boolean): void;
}

/** The system's entry for starting at login: a file on Linux, a call elsewhere. */
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
        // An AppImage runs from another mount every time; APPIMAGE names its file.
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

/** Outside a package, the system would start a bare Electron. */
function systemItem(platform: NodeJS.Platform): LoginItem {
  const args = platform === 'win32' ? { args: [atLoginSwitch] } : {};
  return {
    possible: app.isPackaged && (platform === 'darwin' || platform === 'win32'),
    enabled: () => app.getLoginItemSettings(args).openAtLogin,
    set: (openAtLogin) => app.setLoginItemSettings({ openAtLogin, ...args }),
  };
}

/** Whether the system started the app at login. */
export function startedAtLogin(argv: readonly string[], platform: NodeJS.Platform): boolean {
  return argv.includes(atLoginSwitch) || (platform === 'darwin' && app.getLoginItemSettings().wasOpenedAtLogin);
}

export interface Autostart {
  readonly executable: string;
  readonly args: readonly string[];
  readonly environment: NodeJS.ProcessEnv;
}

/** Variables that the start at login needs again; no secrets. */
const carriedOver = ['GATEHOUSE_DATA_DIR', 'GATEHOUSE_HOST', 'GATEHOUSE_NODE', 'GATEHOUSE_PORT'] as const;

/** A desktop entry for the autostart folder, by the XDG specifications of desktop entries and autostart. */
export function autostartEntry({ executable, args, environment }: Autostart): string {
  const variables = carriedOver.flatMap((name) => {
    const value = environment[name];
    return value === undefined || value === '' ? [] : [`${name}=${value}`];
  });
  const command = [...(variables.length > 0 ? ['env', ...variables] : []), executable, ...args];
  return [
    '[Desktop Entry]',
    'Type=Application',
    'Name=Gatehouse',
    'Comment=An npm registry on this computer',
    `Exec=${command.map(quoted).join(' ')}`,
    'Terminal=false',
    'X-GNOME-Autostart-enabled=true',
    '',
  ].join('\n');
}

/** Quotes an argument of Exec: by the rules of Exec, then by those of strings in a desktop entry. */
function quoted(argument: string): string {
  const escaped = argument.replaceAll(/["`$\\]/g, String.raw`\$&`).replaceAll('%', '%%');
  const enclosed = /[^\w@+=:,./-]/.test(argument) ? `"${escaped}"` : escaped;
  return enclosed.replaceAll('\\', String.raw`\\`);
}
