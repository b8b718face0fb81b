import path from 'node:path';

/** Where and how the server runs. The environment beats the settings. */
export interface Hosting {
  readonly dataDir: string;
  /** The address to listen on. */
  readonly host: string;
  readonly port: number;
  /** MiB. */
  readonly largestTarball: number;
  /** Another Node to run the server with, from `GATEHOUSE_NODE`; null for Electron's. */
  readonly nodePath: string | null;
}

/** The settings that hosting depends on. */
export interface HostingSettings {
  readonly port: number;
  readonly serveOthers: boolean;
  readonly largestTarball: number;
  /** Null for `registry` in the app's own folder. */
  readonly dataDir: string | null;
}

/** How a server child is started. */
export interface LaunchPlan {
  /** The server's built file. */
  readonly entry: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/**
 * Decides the hosting from the environment, the settings and the app's own folder for user data. Throws an Error that names the variable
 * if its value is invalid.
 */
export function decideHosting(environment: NodeJS.ProcessEnv, settings: HostingSettings, userData: string): Hosting {
  return {
    dataDir: dataFolder(environment, settings.dataDir, userData),
    // Without `::`, on which a computer without IPv6 cannot listen.
    host: environment['GATEHOUSE_HOST'] || (settings.serveOthers ? '0.0.0.0' : '127.0.0.1'),
    port: portFrom(environment['GATEHOUSE_PORT']) ?? settings.port,
    largestTarball: settings.largestTarball,
    nodePath: environment['GATEHOUSE_NODE'] || null,
  };
}

/** The folder with the registry's data: `GATEHOUSE_DATA_DIR`, or the saved one, or `registry` in the app's own folder. */
export function dataFolder(environment: NodeJS.ProcessEnv, saved: string | null, userData: string): string {
  const fixed = environment['GATEHOUSE_DATA_DIR'];
  return fixed ? path.resolve(fixed) : (saved ?? path.join(userData, 'registry'));
}

function portFrom(text: string | undefined): number | null {
  if (text === undefined || text === '') return null;
  const port = Number(text);
  if (!/^\d+$/.test(text) || port > 65_535) {
    throw new Error(`GATEHOUSE_PORT is "${text}"; it must be a number from 0 to 65535.`);
  }
  return port;
}

/** The server's command line and environment for this hosting. */
export function launchPlan(hosting: Hosting, entry: string, environment: NodeJS.ProcessEnv): LaunchPlan {
  const { dataDir, host, port, largestTarball } = hosting;
  const limits = ['--max-tarball', String(largestTarball)];
  return {
    entry,
    args: ['serve', '--control', '--data-dir', dataDir, '--host', host, '--port', String(port), ...limits],
    env: childEnvironment(environment),
  };
}

/** A command of the `gatehouse` program on the data folder, for when no server runs. */
export function commandPlan(
  { dataDir }: Pick<Hosting, 'dataDir'>,
  entry: string,
  environment: NodeJS.ProcessEnv,
  args: readonly string[],
): LaunchPlan {
  const env = { ...childEnvironment(environment), GATEHOUSE_PROGRESS: 'lines' };
  return { entry, args: [...args, '--data-dir', dataDir], env };
}

/** The server's built file. In a packed app it lies beside the archive, which a plain Node cannot read. */
export function serverEntry(outFolder: string): string {
  return path.join(outFolder, 'server/gatehouse.js').replace(/([\\/])app\.asar([\\/])/, '$1app.asar.unpacked$2');
}

/**
 * The variables that the server child inherits: what a Node program needs on each system, proxies and certificates for other registries,
 * and Gatehouse's own. Everything else (tokens of other tools, NODE_OPTIONS, ELECTRON_RUN_AS_NODE) stays out.
 */
const inherited: ReadonlySet<string> = new Set(
  [
    'PATH HOME USER LOGNAME LANG LANGUAGE TZ TMPDIR TEMP TMP XDG_RUNTIME_DIR',
    'SYSTEMROOT SYSTEMDRIVE WINDIR COMSPEC PATHEXT USERPROFILE APPDATA LOCALAPPDATA PROGRAMDATA',
    'HTTP_PROXY HTTPS_PROXY NO_PROXY NODE_EXTRA_CA_CERTS SSL_CERT_FILE SSL_CERT_DIR',
    'GATEHOUSE_ROOT_TOKEN GATEHOUSE_LOG_LEVEL',
  ].flatMap((names) => names.split(' ')),
);

/** The part of `environment` that the server child may see. Names are compared without regard to case, as Windows does. */
export function childEnvironment(environment: NodeJS.ProcessEnv): Record<string, string> {
  const allowed: Record<string, string> = {};
  for (const [name, value] of Object.entries(environment)) {
    const upper = name.toUpperCase();
    if (value !== undefined && (inherited.has(upper) || upper.startsWith('LC_'))) allowed[name] = value;
  }
  return allowed;
}
