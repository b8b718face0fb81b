import { z } from 'zod';
import { localPath } from './local-path.ts';
import { selector } from './upstream.ts';

// Files that carry packages from one registry to another. Sizes are bytes.

export const bundleEntry = z.object({
  name: z.string(),
  version: z.string(),
  /** `local`: published here. `cache`: fetched from another registry. */
  origin: z.enum(['local', 'cache']),
  size: z.int(),
  verdict: z.enum(['new', 'same', 'conflict', 'refused']),
  explanation: z.string(),
});
export type BundleEntry = z.infer<typeof bundleEntry>;

export const bundleReport = z.object({
  file: z.string(),
  createdAt: z.int(),
  source: z.string(),
  /** Fingerprint of the key that signed it. */
  keyId: z.string(),
  /** `refused`: unknown, and others are trusted. */
  keyTrust: z.enum(['own', 'trusted', 'unknown', 'refused']),
  entries: z.array(bundleEntry),
  bytes: z.int(),
  /** Dependencies that nothing in the bundle satisfies, as `name@range`. */
  missing: z.array(z.string()),
  /** Whether anything was changed: false for a dry run and for an export. */
  applied: z.boolean(),
});
export type BundleReport = z.infer<typeof bundleReport>;

const bundleImport = z.object({
  /** Absolute path on the machine of the server. */
  file: localPath('file'),
  projectId: z.int().default(1),
  /** Fingerprint of the only key that is accepted; null accepts any. */
  requireKey: z.string().max(200).nullable().default(null),
});

export const bundleMethods = {
  /** Writes one file with the packages (`name`, `name@range` or `@scope/*`), optionally with their dependencies. */
  'bundles.export': {
    input: z.object({
      file: localPath('new-file'),
      /** Whether a file that is there is replaced, once the new one is complete. */
      replace: z.boolean().default(false),
      packages: z.array(selector).min(1).max(10_000),
      closure: z.boolean().default(false),
    }),
    output: bundleReport,
  },
  /** Verifies a bundle and says what an import would do. Changes nothing. */
  'bundles.inspect': { input: bundleImport, output: bundleReport },
  'bundles.import': {
    /** `trustKey` accepts its key, and trusts it once everything is imported. */
    input: bundleImport.extend({ trustKey: z.boolean().default(false) }),
    output: bundleReport,
  },
  'bundles.trustedKeys': { input: z.object({}), output: z.object({ own: z.string(), trusted: z.array(z.string()) }) },
  'bundles.setTrustedKeys': { input: z.object({ keys: z.array(z.string().max(200)).max(1000) }), output: z.null() },
} as const;
