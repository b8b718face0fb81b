import { readFileSync } from 'node:fs';
import { mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { runCommand } from './run-command.ts';
import type { CommandResult, Conversation } from './run-command.ts';

/** The package managers of `package.json` beside this folder, under the names that they have there. */
export const clientNames = [
  'npm8',
  'npm10',
  'npm11',
  'npm12',
  'pnpm9',
  'pnpm10',
  'pnpm12',
  'yarn1',
  'yarn4',
  'bun',
] as const;
export type ClientName = (typeof clientNames)[number];

export interface ClientOptions {
  /** Registry address, with a slash at its end. */
  readonly registry: string;
  /** Sent with every request; null for somebody who has none. */
  readonly token: string | null;
}

/** What every package manager can do, in its own words. Commands run in a folder and resolve whether they succeed or not. */
export interface Client {
  readonly name: ClientName;
  readonly home: string;
  /** Any command line of it. */
  run(folder: string, ...args: string[]): Promise<CommandResult>;
  /** A command line that asks something. */
  converse(folder: string, args: readonly string[], conversation: Conversation): Promise<CommandResult>;
  publish(folder: string, tag?: string): Promise<CommandResult>;
  /** Adds packages to a project, for instance `@acme/a@^1.0.0`. */
  add(project: string, ...specs: string[]): Promise<CommandResult>;
  /** Installs what package.json asks for and writes the lockfile. */
  install(project: string): Promise<CommandResult>;
  /** Installs exactly what the lockfile says, or fails. */
  installFrozen(project: string): Promise<CommandResult>;
  /** Name of the lockfile that it writes. */
  readonly lockfile: string;
  /** Deletes all that it keeps of earlier downloads. */
  forget(): Promise<void>;
  /** Its dist-tag commands; null for a client that has none. */
  readonly tags: TagCommands | null;
  /** A project folder of its own, told apart from every folder above it. */
  newProject(manifest?: Readonly<Record<string, unknown>>): Promise<string>;
}

export interface TagCommands {
  list(folder: string, name: string): Promise<CommandResult>;
  add(folder: string, name: string, version: string, tag: string): Promise<CommandResult>;
  remove(folder: string, name: string, tag: string): Promise<CommandResult>;
}

const installed = path.join(import.meta.dirname, '../node_modules');

/** Path of a file of an installed client. */
export function clientFile(name: string, file: string): string {
  return path.join(installed, name, file);
}

/** The client as it is run: a program, and the arguments that come first. */
export interface Launcher {
  readonly file: string;
  readonly args: readonly string[];
}

/** A client that is a Node script. */
export function nodeScript(name: string, file: string): Launcher {
  return { file: process.execPath, args: [clientFile(name, file)] };
}

/**
 * A home folder with nothing in it but what the client writes: no configuration, cache or path of the machine reaches the client.
 */
export class CleanHome {
  readonly home: string;
  readonly #launcher: Launcher;
  readonly #variables: Readonly<Record<string, string>>;
  #projects = 0;

  /** @param files written into the home folder, by name. */
  static async make(
    home: string,
    launcher: Launcher,
    files: Readonly<Record<string, string>>,
    variables: Readonly<Record<string, string>> = {},
  ): Promise<CleanHome> {
    const binaries = path.join(home, 'bin');
    await mkdir(binaries, { recursive: true });
    await mkdir(path.join(home, 'tmp'));
    await symlink(process.execPath, path.join(binaries, 'node'));
    // pnpm 9 and 10 hand publish, view and the like over to the npm that they find.
    await symlink(clientFile('npm11', 'bin/npm-cli.js'), path.join(binaries, 'npm'));
    for (const [name, text] of Object.entries(files)) {
      await mkdir(path.dirname(path.join(home, name)), { recursive: true });
      await writeFile(path.join(home, name), text);
    }
    return new CleanHome(home, launcher, variables);
  }

  private constructor(home: string, launcher: Launcher, variables: Readonly<Record<string, string>>) {
    this.home = home;
    this.#launcher = launcher;
    this.#variables = variables;
  }

  run(
    folder: string,
    args: readonly string[],
    converse?: Conversation,
    launcher = this.#launcher,
  ): Promise<CommandResult> {
    return runCommand(launcher.file, [...launcher.args, ...args], {
      cwd: folder,
      env: this.#environment,
      converse,
    });
  }

  get #environment(): Readonly<Record<string, string>> {
    const below = (name: string): string => path.join(this.home, name);
    return {
      PATH: [below('bin'), '/usr/local/bin', '/usr/bin', '/bin'].join(path.delimiter),
      HOME: this.home,
      TMPDIR: below('tmp'),
      XDG_CONFIG_HOME: below('.config'),
      XDG_CACHE_HOME: below('.cache'),
      XDG_DATA_HOME: below('.local/share'),
      XDG_STATE_HOME: below('.local/state'),
      NO_COLOR: '1',
      ...this.#variables,
    };
  }

  async remove(...names: string[]): Promise<void> {
    for (const name of names) await rm(path.join(this.home, name), { recursive: true, force: true, maxRetries: 3 });
  }

  async newProject(
    manifest: Readonly<Record<string, unknown>> = {},
    files: Readonly<Record<string, string>> = {},
  ): Promise<string> {
    this.#projects += 1;
    const folder = path.join(this.home, `project-${this.#projects}`);
    await mkdir(folder);
    const packageJson = { name: `project-${this.#projects}`, version: '0.0.0', private: true, ...manifest };
    for (const [name, text] of Object.entries({ ...files, 'package.json': JSON.stringify(packageJson, null, 2) })) {
      await writeFile(path.join(folder, name), text);
    }
    return folder;
  }
}

/** What most clients say in the same words. */
export function commonCommands(
  clean: CleanHome,
): Pick<Client, 'home' | 'run' | 'converse' | 'publish' | 'add' | 'install' | 'newProject'> {
  const run: Client['run'] = (folder, ...args) => clean.run(folder, args);
  return {
    home: clean.home,
    run,
    converse: (folder, args, conversation) => clean.run(folder, args, conversation),
    publish: (folder, tag) => run(folder, 'publish', ...tagFlag(tag)),
    add: (project, ...specs) => run(project, 'add', ...specs),
    install: (project) => run(project, 'install'),
    newProject: (manifest) => clean.newProject(manifest),
  };
}

export function tagFlag(tag: string | undefined): string[] {
  return tag === undefined ? [] : ['--tag', tag];
}

/** Dist-tag commands that begin with `command` and have these words for listing and removing. */
export function tagCommands(run: Client['run'], command: readonly string[], list: string, remove: string): TagCommands {
  return {
    list: (folder, name) => run(folder, ...command, list, name),
    add: (folder, name, version, tag) => run(folder, ...command, 'add', `${name}@${version}`, tag),
    remove: (folder, name, tag) => run(folder, ...command, remove, name, tag),
  };
}

/** The part of a registry address that npm's configuration keys credentials by. */
export function nerfDart(registry: string): string {
  return registry.replace(/^https?:/, '');
}

/** `.npmrc` lines for a registry: what the app's connect page tells people, with quick failure for tests. */
export function npmrcLines({ registry, token }: ClientOptions, ...more: string[]): string {
  const lines = [`registry=${registry}`];
  if (token !== null) lines.push(`${nerfDart(registry)}:_authToken=${token}`);
  return `${[...lines, ...more].join('\n')}\n`;
}

/** What a project has of a package after an install: its package.json. @throws Error if it isn't there. */
export function installedManifest(project: string, name: string): Readonly<Record<string, unknown>> {
  const file = path.join(project, 'node_modules', name, 'package.json');
  return JSON.parse(readFileSync(file, 'utf8')) as Readonly<Record<string, unknown>>;
}
