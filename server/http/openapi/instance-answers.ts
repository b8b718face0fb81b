import { z } from 'zod';

/** Answers about the server itself. */
export const instanceAnswers = {
  Liveness: z.object({ status: z.literal('ok') }),
  Readiness: z.object({ status: z.enum(['ok', 'unavailable']), version: z.string() }),
  OpenApiDocument: z.looseObject({ openapi: z.literal('3.1.0') }),
};
