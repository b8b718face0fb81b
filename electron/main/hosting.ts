import path from 'node:path';
import { childEnvironment } from './child-environment.ts';
import type { LaunchPlan } from './carriers/carrier.ts';

/** Where and how the server is to run. The environment beats the settings (design.md, "The command line"). */
export interface Hosting {
  readonly dataDir: string;
  readonly port: number;
  /** MiB. */
  readonly largestTarball: number;
  /** A Node of one's own to run the server with, from `GATEHOUSE_NODE`; null for Electron's. */
  readonly nodePath: string | null;
}

/** What the settings have to say about hosting. */
export interface HostingSettings {
  readonly port: number;
  readonly largestTarball: number;
  /** Null for `registry` in the app's own folder. */
  readonly dataDir: string | null;
}

/**
 * Decides the hosting from the environment, the settings and the app's own folder for user data. Throws an Error that names the variable
 * if its value makes no sense.
 */
export function decideHosting(environment: NodeJS.ProcessEnv, settings: HostingSettings, userData: string): Hosting {
  return {
    dataDir: dataFolder(environment, settings.dataDir, userData),
    port: portFrom(environment['GATEHOUSE_PORT']) ?? settings.port,
    largestTarball: settings.largestTarball,
    nodePath: hasOwnNode(environment) ? (environment['GATEHOUSE_NODE'] ?? null) : null,
  };
}

/** Whether the environment names a Node to run the server with. */
export function hasOwnNode(environment: NodeJS.ProcessEnv): boolean {
  return (environment['GATEHOUSE_NODE'] ?? '') !== '';
}

/** The folder with the registry's data: `GATEHOUSE_DATA_DIR`, or the saved one, or `registry` in the app's own folder. */
export function dataFolder(environment: NodeJS.ProcessEnv, saved: string | null, userData: string): string {
  const dataDir = environment['GATEHOUSE_DATA_DIR'];
  if (dataFolderIsFixed(environment) && dataDir !== undefined) return path.resolve(dataDir);
  return saved ?? path.join(userData, 'registry');
}

/** Whether the environment decides about the data folder. */
export function dataFolderIsFixed(environment: NodeJS.ProcessEnv): boolean {
  return (environment['GATEHOUSE_DATA_DIR'] ?? '') !== '';
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
  const { dataDir, port, largestTarball } = hosting;
  const limits = ['--max-tarball', String(largestTarball)];
  return {
    entry,
    args: ['serve', '--control', '--data-dir', dataDir, '--port', String(port), ...limits],
    env: childEnvironment(environment),
  };
}

/**
 * The server's built file. In a packed app it lies beside the archive, because a Node of one's own cannot read from inside.
 */
export function serverEntry(outFolder: string): string {
  return path.join(outFolder, 'server/gatehouse.js').replace(/([\\/])app\.asar([\\/])/, '$1app.asar.unpacked$2');
}

/** Whether a Node version (`22.14.0`) has the Node-API level that better-sqlite3 needs. */
export function nodeCanServe(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major > 22 || (major === 22 && minor >= 14);
}
