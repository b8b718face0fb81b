import { z } from 'zod';
import type { Provenance } from '../../contract/packages.ts';

const text = z.string().max(2_000).nullable().catch(null).default(null);

/** The statement of SLSA 1 that npm publishes, as far as people look at it. */
const statement = z.object({
  predicate: z
    .object({
      buildDefinition: z
        .object({
          externalParameters: z
            .object({
              workflow: z.object({ repository: text, ref: text, path: text }).partial().catch({}).default({}),
              // GitLab's.
              source: text,
            })
            .partial()
            .catch({})
            .default({}),
          resolvedDependencies: z
            .array(z.object({ digest: z.object({ gitCommit: text }).partial().catch({}).default({}) }))
            .catch([])
            .default([]),
        })
        .partial()
        .catch({})
        .default({}),
      runDetails: z
        .object({ builder: z.object({ id: text }).partial().catch({}).default({}) })
        .partial()
        .catch({})
        .default({}),
    })
    .partial()
    .catch({})
    .default({}),
});

/** What a stored Sigstore bundle says of how its version was built. Never throws: what cannot be read is null. */
export function readProvenance({ predicateType, text: bundle }: { predicateType: string; text: string }): Provenance {
  const read = statement.safeParse(payloadOf(bundle)).data?.predicate;
  const { workflow, source } = read?.buildDefinition?.externalParameters ?? {};
  return {
    predicateType,
    builder: read?.runDetails?.builder?.id ?? null,
    repository: workflow?.repository ?? source ?? null,
    ref: workflow?.ref ?? null,
    commit: read?.buildDefinition?.resolvedDependencies?.[0]?.digest.gitCommit ?? null,
    workflow: workflow?.path ?? null,
  };
}

function payloadOf(bundle: string): unknown {
  try {
    const { dsseEnvelope } = JSON.parse(bundle) as { dsseEnvelope?: { payload?: unknown } };
    return JSON.parse(Buffer.from(String(dsseEnvelope?.payload), 'base64').toString('utf8')) as unknown;
  } catch {
    return null;
  }
}
