import { z } from 'zod';
import { errorTable } from '../../contract/errors.ts';

const OAuthError = z
  .object({ error: z.string(), error_description: z.string(), scope: z.string().optional() })
  .meta({ description: 'A token that has expired, was revoked or lacks a scope.' });

/** Bodies of errors. */
export const errorSchemas = {
  OAuthError,
  GitlabError: z
    .union([
      z.object({ message: z.union([z.string(), z.array(z.string()), z.record(z.string(), z.array(z.string()))]) }),
      z.object({ error: z.string() }),
      z.object({ message: z.string(), error: z.string() }),
      OAuthError,
    ])
    .meta({ description: '`error` for parameters and paths, `message` for everything else, as in GitLab.' }),
  NpmError: z
    .union([z.object({ message: z.string(), error: z.string() }), z.object({ error: z.string() }), OAuthError])
    .meta({ description: '`error` is for the person at the terminal, `message` is GitLab’s own text.' }),
};

/** The errors that both APIs can answer any call with. */
const ofEveryCall = [400, 401, 403, 404, 429] as const;
/** The errors of calls with a body. */
const ofEveryBody = [408, 413, 415] as const;

/** Statuses of errors that a call can be answered with, beside failures of the server. */
export function errorStatuses(method: string, further: readonly number[]): number[] {
  const all = [...ofEveryCall, ...(method === 'GET' ? [] : ofEveryBody), ...further];
  return [...new Set(all)].toSorted((a, b) => a - b);
}

/** What the errors of a status mean, from the table of errors. */
export function statusText(status: number): string {
  const texts = Object.entries(errorTable).flatMap(([code, error]) =>
    error.status === status ? [`\`${code}\`: ${error.text.replace(/\.?$/, '.')}`] : [],
  );
  return texts.join(' ');
}
