import { z } from 'zod';

const PublishDocument = z
  .looseObject({
    name: z.string(),
    'dist-tags': z.record(z.string(), z.string()),
    versions: z.record(z.string(), z.looseObject({ name: z.string(), version: z.string(), dist: z.looseObject({}) })),
    _attachments: z.record(
      z.string(),
      z.looseObject({ data: z.string().meta({ contentEncoding: 'base64' }), length: z.int().optional() }),
    ),
    readme: z.string().optional(),
  })
  .meta({ description: 'One version with its tarball, and a provenance bundle if there is one. Read as a stream.' });

const ChangedVersions = z
  .looseObject({
    name: z.string().optional(),
    versions: z.record(
      z.string(),
      z.looseObject({
        deprecated: z
          .union([z.string().max(4096), z.literal(false), z.null()])
          .optional()
          .meta({ description: 'The message; empty, false or null lifts a deprecation.' }),
      }),
    ),
  })
  .meta({ description: 'A packument without tarballs: a deprecation, or at a revision the versions that stay.' });

const Stars = z
  .object({ users: z.record(z.string(), z.unknown()) })
  .meta({ description: 'Only the caller’s own star is looked at.' });
const Maintainers = z.object({ maintainers: z.array(z.object({ name: z.string().max(255) })).max(1000) });

/** Bodies of npm's API that are described by name: they have several forms, or are read as streams and by no schema. */
export const npmRequests = {
  PublishDocument,
  Stars,
  Maintainers,
  PackageDocument: z.union([PublishDocument, ChangedVersions, Stars, Maintainers]),
  TaggedVersion: z.string().meta({ description: 'The version.', examples: ['1.2.3'] }),
  AuditedVersions: z.record(z.string(), z.array(z.string())).meta({ description: 'Versions by name of the package.' }),
  AuditedTree: z.looseObject({ dependencies: z.record(z.string(), z.looseObject({})).optional() }),
  LoginForm: z.object({
    key: z.string(),
    answer: z.literal('deny').optional(),
    username: z.string().optional(),
    password: z.string().optional(),
  }),
};
