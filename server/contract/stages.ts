import { z } from 'zod';

/** A version that was uploaded with `npm stage publish`. Times are milliseconds since 1970, sizes are bytes. */
export const stagedVersion = z.object({
  id: z.string(),
  projectId: z.int(),
  projectPath: z.string(),
  name: z.string(),
  version: z.string(),
  tags: z.array(z.string()),
  actor: z.string(),
  createdAt: z.int(),
  size: z.int(),
  fileCount: z.int(),
  integrity: z.string(),
});
export type StagedVersionEntry = z.infer<typeof stagedVersion>;

const stageId = z.object({ id: z.string().max(100) });
const projectId = z.object({ projectId: z.int() });

export const stageMethods = {
  /** Newest first; of one project, or of all. */
  'stages.list': {
    input: z.object({
      projectId: z.int().optional(),
      offset: z.int().min(0).default(0),
      limit: z.int().min(1).max(500).default(100),
    }),
    output: z.object({ total: z.int(), stages: z.array(stagedVersion) }),
  },
  /** Publishes it now. */
  'stages.approve': { input: stageId, output: z.null() },
  'stages.reject': { input: stageId, output: z.null() },
} as const;

/** Hours by which a project shows its publish times older than they are. */
export const publishAgeMethods = {
  'publishAge.get': { input: projectId, output: z.object({ hours: z.number() }) },
  'publishAge.set': { input: projectId.extend({ hours: z.number().min(0).max(87_840) }), output: z.null() },
} as const;
