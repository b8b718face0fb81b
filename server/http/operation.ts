import type { Action, InstanceAction } from '../accounts/access/policy.ts';
import type { AnswerName, BodyName } from './openapi/schemas.ts';

/**
 * One method of a route: the function that answers it, and what the OpenAPI document says of it (openapi/document.ts). A route cannot be
 * added without it, and the conformance suite compares every answer with it.
 */
export interface Operation<Handler> {
  readonly handle: Handler;
  /** What it does, in a few words that no other operation has; its `operationId` is made of them. */
  readonly summary: string;
  /** What the summary leaves open, in Markdown. */
  readonly description?: string;
  /** Which rule of the policy decides who may; `anyone` where no token is needed. */
  readonly access: Action | InstanceAction | 'anyone';
  /** Answers that are no errors, by status. */
  readonly answers: Readonly<Record<number, AnswerReference>>;
  /** Statuses of errors beyond those that every operation of its API has. */
  readonly errors?: readonly number[];
}

/** A JSON Schema (draft 2020-12). */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** The body of an answer: a schema by its name, a list of those, or a body that is not JSON. */
export type AnswerReference = AnswerName | `${AnswerName}[]` | BodyName;
