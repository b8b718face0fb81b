import { z } from 'zod';
import { longestDeprecation } from './constants.ts';

/** A package as the list of the window shows it. Times are milliseconds since 1970, sizes are bytes. */
export const packageSummary = z.object({
  id: z.int(),
  projectId: z.int(),
  projectPath: z.string(),
  name: z.string(),
  description: z.string(),
  latest: z.string().nullable(),
  versionCount: z.int(),
  tagCount: z.int(),
  totalSize: z.int(),
  publishedAt: z.int(),
  deprecated: z.boolean(),
});
export type PackageSummary = z.infer<typeof packageSummary>;

export const packageVersion = z.object({
  id: z.int(),
  version: z.string(),
  publishedAt: z.int(),
  publisher: z.string().nullable(),
  /** Whether the publisher imported it in a bundle. */
  imported: z.boolean(),
  size: z.int(),
  fileCount: z.int(),
  unpackedSize: z.int(),
  integrity: z.string(),
  shasum: z.string(),
  deprecated: z.string().nullable(),
  downloads: z.int(),
});
export type PackageVersion = z.infer<typeof packageVersion>;

export const distTag = z.object({ tag: z.string(), version: z.string(), updatedAt: z.int() });
export type DistTag = z.infer<typeof distTag>;

export const packageDetail = packageSummary.extend({
  readme: z.string(),
  license: z.string().nullable(),
  homepage: z.string().nullable(),
  repository: z.string().nullable(),
  keywords: z.array(z.string()),
  /** Newest publish first. */
  versions: z.array(packageVersion),
  tags: z.array(distTag),
  /** Where `latest` leads without a tag of its own. */
  newest: z.string().nullable(),
});
export type PackageDetail = z.infer<typeof packageDetail>;

/** What a Sigstore bundle says of how a version was built; null where it does not. Its signature is not verified. */
export const provenance = z.object({
  predicateType: z.string(),
  /** Of the build system. */
  builder: z.string().nullable(),
  repository: z.string().nullable(),
  /** Git reference and commit. */
  ref: z.string().nullable(),
  commit: z.string().nullable(),
  workflow: z.string().nullable(),
});
export type Provenance = z.infer<typeof provenance>;

/** One version in full. */
export const versionDetail = packageVersion.extend({
  readme: z.string(),
  license: z.string().nullable(),
  /** Programs that it needs and their ranges, as in `{node: ">=20"}`. */
  engines: z.record(z.string(), z.string()),
  fileName: z.string(),
  /** Of this registry's signature of name, version and integrity. */
  signature: z.object({ keyId: z.string(), value: z.string() }),
  provenance: provenance.nullable(),
});
export type VersionDetail = z.infer<typeof versionDetail>;

const packageId = z.object({ packageId: z.int() });
const someVersions = packageId.extend({ versions: z.array(z.string().max(256)).min(1).max(20_000) });
const tagOf = packageId.extend({
  tag: z.string().max(256),
  /** The version that the tag has now, null for none; a tag that was changed since stays as it is. */
  expected: z.string().max(256).nullable().optional(),
});
const versionOf = packageId.extend({ version: z.string().max(256) });

export const packageMethods = {
  /** Packages whose name, description or keywords match `search`; by name or newest publish first. */
  'packages.list': {
    input: z.object({
      search: z.string().max(200).optional(),
      projectId: z.int().optional(),
      scope: z.string().max(214).optional(),
      orderBy: z.enum(['name', 'publishedAt', 'size']).default('name'),
      direction: z.enum(['asc', 'desc']).default('asc'),
      offset: z.int().min(0).default(0),
      limit: z.int().min(1).max(20_000).default(20_000),
    }),
    output: z.object({ total: z.int(), packages: z.array(packageSummary) }),
  },
  'packages.get': { input: packageId, output: packageDetail },
  'packages.version': { input: versionOf, output: versionDetail },
  /** Points `tag` at `version`, creating or moving it. */
  'packages.setTag': { input: tagOf.extend({ version: z.string().max(256) }), output: z.null() },
  'packages.removeTag': { input: tagOf, output: z.null() },
  /** Gives each version its deprecation message; an empty one lifts it. */
  'packages.deprecate': {
    input: packageId.extend({
      messages: z.record(z.string().max(256), z.string().max(longestDeprecation)),
      /** The messages that versions have now, null for none; if one was changed since, all stay as they are. */
      expected: z.record(z.string().max(256), z.string().nullable()).optional(),
    }),
    output: z.null(),
  },
  /** Deletes versions, all or none; with the last one, the package. */
  'packages.unpublishVersions': { input: someVersions, output: z.null() },
  /** What `packages.unpublishVersions` would do to the tags: those that go, and where `latest` leads then (null: nowhere). */
  'packages.previewUnpublish': {
    input: someVersions,
    output: z.object({
      removedTags: z.array(z.object({ tag: z.string(), version: z.string() })),
      latest: z.object({ from: z.string(), to: z.string().nullable() }).nullable(),
    }),
  },
  /** Deletes a package with every version and tag. */
  'packages.unpublish': { input: packageId, output: z.null() },
} as const;
