import { z } from 'zod';
import { dependencyKinds } from './constants.ts';

const versionOf = z.object({ packageId: z.int(), version: z.string().max(256) });

export const tarballFile = z.object({
  /** Below the package's folder, with forward slashes: `lib/index.js`. */
  path: z.string(),
  /** Bytes. */
  size: z.int(),
  executable: z.boolean(),
  /** SHA-1 in hex, to tell whether two versions have the same file. */
  sha1: z.string(),
});
export type TarballFile = z.infer<typeof tarballFile>;

export const fileContent = z.object({
  path: z.string(),
  size: z.int(),
  /** Null for what is no UTF-8 text (`binary`) or more than can be shown (`large`). */
  text: z.string().nullable(),
  withheld: z.enum(['binary', 'large']).nullable(),
});
export type FileContent = z.infer<typeof fileContent>;

export const dependency = z.object({
  name: z.string(),
  range: z.string(),
  kind: z.enum(dependencyKinds),
  /** The package of that name in this registry, if it has one. */
  here: z
    .object({
      packageId: z.int(),
      /** The highest version that fits the range; null if none does. */
      satisfiedBy: z.string().nullable(),
    })
    .nullable(),
});
export type Dependency = z.infer<typeof dependency>;

export const dependent = z.object({
  packageId: z.int(),
  name: z.string(),
  /** Its latest version, which is the one looked at. */
  version: z.string(),
  range: z.string(),
  kind: z.enum(dependencyKinds),
  /** Whether the version asked about fits that range. */
  satisfied: z.boolean(),
});
export type Dependent = z.infer<typeof dependent>;

/** For the desktop app alone: the page gets no path from it. */
export const tarballMethods = {
  /** The file of a version's tarball in the data folder, and the name under which it is downloaded. */
  'contents.tarball': { input: versionOf, output: z.object({ file: z.string(), name: z.string() }) },
} as const;

export const contentMethods = {
  /** The files of a version's tarball, by path. */
  'contents.files': { input: versionOf, output: z.object({ files: z.array(tarballFile) }) },
  /** One file of it, as text. */
  'contents.file': { input: versionOf.extend({ path: z.string().max(4096) }), output: fileContent },
  /** What a version depends on, and which packages of this registry depend on it with their latest version. */
  'contents.dependencies': {
    input: versionOf,
    output: z.object({ dependencies: z.array(dependency), dependents: z.array(dependent) }),
  },
} as const;
