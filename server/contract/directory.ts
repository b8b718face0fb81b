import { z } from 'zod';
import { visibility } from './levels.ts';

export const userSummary = z.object({
  id: z.int(),
  username: z.string(),
  name: z.string(),
  state: z.enum(['active', 'blocked']),
  isAdmin: z.boolean(),
});
export type UserSummary = z.infer<typeof userSummary>;

export const groupSummary = z.object({ id: z.int(), name: z.string(), fullPath: z.string() });
export type GroupSummary = z.infer<typeof groupSummary>;

export const projectSummary = z.object({
  id: z.int(),
  name: z.string(),
  fullPath: z.string(),
  visibility,
});
export type ProjectSummary = z.infer<typeof projectSummary>;

export const directoryMethods = {
  'directory.projects': { input: z.object({}), output: z.array(projectSummary) },
  /** Users and groups that a rule of this project may name, matching `search` in name, username or path. */
  'directory.ruleCandidates': {
    input: z.object({ projectId: z.int(), search: z.string().max(200).default('') }),
    output: z.object({ users: z.array(userSummary), groups: z.array(groupSummary) }),
  },
} as const;
