/*
 * What the package `gatehouse` exports, as its users see it. This file is its type declaration: it imports nothing, and holds types only.
 */

/** What a user may do in the project that the registry publishes to, in GitLab's words; `admin` may do everything. */
export type Role = 'guest' | 'planner' | 'reporter' | 'developer' | 'maintainer' | 'owner' | 'admin';

/** Another registry, which is asked for packages that are not here. */
export interface UpstreamOptions {
  readonly url: string;
  /** Sent to it with every request. */
  readonly token?: string | undefined;
  /** Scopes (`@acme`) whose packages come from there; every name (`*`) if left out. */
  readonly scopes?: readonly string[] | undefined;
}

/** A package without a folder. */
export interface InlinePackage {
  /** Its package.json. */
  readonly manifest: { readonly name: string; readonly version: string; readonly [field: string]: unknown };
  /** Its other files, by their path in the package. */
  readonly files?: Readonly<Record<string, string | Uint8Array>> | undefined;
}

/** A folder with a package.json, or a package made of values. */
export type PackageSource = string | InlinePackage;

export interface PublishOptions {
  /** The dist-tag that the version gets; the one of `publishConfig`, else `latest`, if left out. */
  readonly tag?: string | undefined;
  /** Whose publish it is; root's if left out. */
  readonly token?: string | undefined;
}

export interface PublishedVersion {
  readonly name: string;
  readonly version: string;
  readonly integrity: string;
}

export interface StartOptions<Name extends string = string> {
  /** A folder that keeps the registry after `close`. A temporary one, which `close` deletes, if left out. */
  readonly dataDir?: string | undefined;
  /** 0, which picks a free one, if left out. */
  readonly port?: number | undefined;
  /** Root's token, of at least 20 characters; a new one if left out. A folder that holds a registry keeps the tokens that it has. */
  readonly token?: string | undefined;
  /** Another registry that is asked for what is not here; none if left out: the registry then works without a network. */
  readonly upstream?: string | UpstreamOptions | undefined;
  /** Users by their name. */
  readonly users?: Readonly<Record<Name, Role>> | undefined;
  /** Packages that are there from the start, and after each `reset`. */
  readonly packages?: readonly PackageSource[] | undefined;
}

/** What one needs to act as a user. */
export interface RegistryUser {
  /** With scope `api`. */
  readonly token: string;
  /** The lines of an `.npmrc` that point npm at the registry as this user. */
  readonly npmrc: string;
}

export interface PackumentVersion {
  readonly name: string;
  readonly version: string;
  readonly deprecated?: string;
  readonly dist: { readonly tarball: string; readonly integrity: string; readonly shasum: string };
  readonly [field: string]: unknown;
}

/** All that the registry says about a package. */
export interface Packument {
  readonly name: string;
  readonly 'dist-tags': Readonly<Record<string, string>>;
  readonly versions: Readonly<Record<string, PackumentVersion>>;
  /** When each version was published, in ISO 8601. */
  readonly time: Readonly<Record<string, string>>;
  readonly [field: string]: unknown;
}

/** A registry that runs in this process. */
export interface EmbeddedRegistry<Name extends string = string> {
  /** Address of the npm registry, with a slash at its end. */
  readonly url: string;
  /** Address of the REST API, without a slash at its end: `http://127.0.0.1:PORT/api/v4`. The project of `url` has the id 1. */
  readonly apiUrl: string;
  /** Root's token. */
  readonly token: string;
  /** The lines of an `.npmrc` that point npm, pnpm, Yarn 1 and Bun at the registry as root. */
  readonly npmrc: string;
  readonly users: Readonly<Record<Name, RegistryUser>>;
  /**
   * Publishes a package. A folder is packed by the `npm` on the PATH, with its rules about files and its `prepack` script; a package made of
   * values is published without any other process. Whatever settings npm finds, the package goes to this registry.
   * @throws Error with the sentence of the registry, if it refuses.
   */
  publish(source: PackageSource, options?: PublishOptions): Promise<PublishedVersion>;
  /** What the registry has of a package, without any client's cache; undefined if it has none of that name. */
  packument(name: string): Promise<Packument | undefined>;
  /**
   * Turns the registry back to what it was when it had started. Address and tokens stay. Requests under way go to the former state and
   * change nothing in the new one. @throws Error for a registry with `dataDir`, whose packages are kept.
   */
  reset(): Promise<void>;
  /** Ends the registry. Nothing of it stays: no temporary file, no timer, no connection. */
  close(): Promise<void>;
}

/**
 * Starts a registry in this process. Any number can run at once; each has its own folder, port, users and packages.
 * @throws Error that says what to do, if the port is taken, the folder cannot be used, or an option is wrong.
 */
export declare function startRegistry<const Name extends string = never>(
  options?: StartOptions<Name>,
): Promise<EmbeddedRegistry<Name>>;

/**
 * A registry for the tests of a file: started before the first one, reset before each, closed after the last. Call it at the top of the
 * file, or in a `describe` for the tests of that; the registry can be used in hooks and tests.
 */
export declare function useRegistry<const Name extends string = never>(
  options?: StartOptions<Name>,
): EmbeddedRegistry<Name>;
