import type { z } from 'zod';
import { directoryAnswers } from './directory-answers.ts';
import { environmentAnswers } from './environment-answers.ts';
import { instanceAnswers } from './instance-answers.ts';
import { npmAnswers } from './npm-answers.ts';
import { npmRequests } from './npm-requests.ts';
import { packageAnswers } from './package-answers.ts';

/** Every body of an answer that is JSON, by name. */
export const answers = {
  ...directoryAnswers,
  ...environmentAnswers,
  ...packageAnswers,
  ...npmAnswers,
  ...instanceAnswers,
};
export const requests = npmRequests;

export type AnswerName = keyof typeof answers;
export type RequestName = keyof typeof requests;

/** What an answer of that name holds; for presenters. */
export type AnswerOf<Name extends AnswerName> = z.infer<(typeof answers)[Name]>;

/** Bodies that are not JSON, with their media types. */
export const otherBodies = {
  nothing: null,
  bytes: 'application/octet-stream',
  html: 'text/html',
  text: 'text/plain',
} as const;
export type BodyName = keyof typeof otherBodies;
