import { z } from 'zod';
import { requirementsOf } from '../../accounts/access/policy.ts';
import type { GitlabOperation } from '../gitlab/call.ts';
import { schemaOf } from '../gitlab/params.ts';
import { abbreviatedType } from '../negotiate.ts';
import type { NpmOperation } from '../npm/npm-call.ts';
import type { AnswerReference, JsonSchema, Operation } from '../operation.ts';
import type { Method } from '../route-matcher.ts';
import { accessText } from './access.ts';
import { errorStatuses } from './errors.ts';
import { pageHeaders, pageParameters, pathParameters, queryParameter } from './parameters.ts';
import { type BodyName, otherBodies } from './schemas.ts';

export interface OperationObject {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly parameters?: readonly JsonSchema[];
  readonly requestBody?: JsonSchema;
  readonly responses: Readonly<Record<string, JsonSchema>>;
  readonly security?: readonly JsonSchema[];
}

/** Where an operation stands; `path` is that of its route, below the root. */
interface Place {
  readonly subject: string;
  readonly path: string;
  readonly method: Method;
}

/** An operation of the server itself. */
export function instanceOperation(subject: string, operation: Operation<unknown>): OperationObject {
  // A host name that is not known is refused before any route.
  const refused = { 403: { $ref: '#/components/responses/Npm403' } };
  return { ...common(operation, subject), responses: { ...answersOf(operation, false), ...refused } };
}

/** An operation of GitLab's API. */
export function gitlabOperation(operation: GitlabOperation, { subject, path, method }: Place): OperationObject {
  const { parameters = {}, paged = false } = operation;
  const ofProject = path.startsWith('/api/v4/projects/:id');
  const inQuery = method === 'GET' || method === 'DELETE';
  const schema = schemaOf(parameters);
  const query = Object.entries(parameters).flatMap(([name, declared]) =>
    inQuery && 'read' in declared ? [queryParameter(name, declared.schema, declared.required)] : [],
  );
  return {
    ...common(operation, subject),
    ...parameterList([...pathParameters(path), ...query, ...(paged ? pageParameters : [])]),
    ...(inQuery || Object.keys(parameters).length === 0
      ? {}
      : { requestBody: { required: Array.isArray(schema['required']), content: json(schema) } }),
    responses: {
      ...answersOf(operation, paged),
      ...(method === 'GET' && ofProject ? { 301: moved } : {}),
      // Reads of a project that has moved are redirected, everything else is refused.
      ...errorsOf('Gitlab', operation, method, method !== 'GET' && ofProject ? [405] : []),
    },
  };
}

/** An operation of npm's API below one of its prefixes. */
export function npmOperation(
  operation: NpmOperation,
  { subject, path, method, suffix }: Place & { readonly suffix: string },
): OperationObject {
  const { query = {}, body } = operation;
  const parameters = Object.entries(query).map(([name, schema]) => queryParameter(name, schema));
  return {
    ...common(operation, subject, suffix),
    ...parameterList([...pathParameters(path), ...parameters]),
    ...(body === undefined ? {} : { requestBody: requestOf(body) }),
    responses: {
      ...answersOf(operation, false),
      ...(method === 'GET' && suffix !== '' ? { 301: moved } : {}),
      ...errorsOf('Npm', operation, method),
    },
  };
}

function common(operation: Operation<unknown>, subject: string, suffix = '') {
  const { summary, description, access } = operation;
  return {
    operationId: operationIdOf(summary) + suffix,
    summary,
    description: description === undefined ? accessText(access) : `${description}\n\n${accessText(access)}`,
    tags: [subject],
    ...securityOf(access),
  };
}

/** An operation that takes a token, and need not have one, says so; the document's own list stands for the rest. */
function securityOf(access: Operation<unknown>['access']): { readonly security?: readonly JsonSchema[] } {
  if (access === 'anyone') return { security: [] };
  return requirementsOf(access).anonymousIfPublic ? { security: [{}, { bearer: [] }, { privateToken: [] }] } : {};
}

function parameterList(parameters: readonly JsonSchema[]): { readonly parameters?: readonly JsonSchema[] } {
  return parameters.length === 0 ? {} : { parameters };
}

/** `List the members of a project` as `listTheMembersOfAProject`. */
function operationIdOf(summary: string): string {
  const words = summary
    .replaceAll(/[’']/g, '')
    .split(/[^A-Za-z0-9]+/)
    .filter((word) => word !== '');
  return words
    .map((word, index) => (index === 0 ? word.toLowerCase() : word.charAt(0).toUpperCase() + word.slice(1)))
    .join('');
}

function answersOf({ answers }: Operation<unknown>, paged: boolean): Record<string, JsonSchema> {
  return Object.fromEntries(
    Object.entries(answers).map(([status, answer]) => {
      const headers = Object.keys(pageHeaders).map((name) => [name, { $ref: `#/components/headers/${name}` }]);
      const content = contentOf(answer);
      return [
        status,
        {
          description: descriptionOf(Number(status), answer),
          ...(paged ? { headers: Object.fromEntries(headers) as JsonSchema } : {}),
          ...(content ? { content } : {}),
        },
      ];
    }),
  );
}

function descriptionOf(status: number, answer: AnswerReference): string {
  if (status === 304) return 'The copy of the client is current.';
  if (status === 416) return 'The range is outside the file.';
  return answer === 'nothing' ? 'Done.' : status < 400 ? 'The answer.' : 'An error.';
}

function contentOf(answer: AnswerReference): JsonSchema | undefined {
  if (isOtherBody(answer)) {
    const type = otherBodies[answer];
    return type === null ? undefined : { [type]: { schema: answer === 'bytes' ? {} : { type: 'string' } } };
  }
  const isList = answer.endsWith('[]');
  const reference = { $ref: `#/components/schemas/${isList ? answer.slice(0, -2) : answer}` };
  const content = json(isList ? { type: 'array', items: reference } : reference);
  return answer === 'Packument' ? { ...content, [abbreviatedType]: { schema: reference } } : content;
}

function isOtherBody(answer: AnswerReference): answer is BodyName {
  return Object.hasOwn(otherBodies, answer);
}

function errorsOf(
  api: 'Gitlab' | 'Npm',
  { answers, errors = [] }: Operation<unknown>,
  method: Method,
  further: readonly number[] = [],
): Record<string, JsonSchema> {
  const reference = (status: number | '5XX') => ({ $ref: `#/components/responses/${api}${status}` });
  const statuses = errorStatuses(method, [...errors, ...further]).filter((status) => !(status in answers));
  return { ...Object.fromEntries(statuses.map((status) => [status, reference(status)])), '5XX': reference('5XX') };
}

const moved: JsonSchema = {
  description: 'The project or group has moved: `Location` is its new address.',
  content: json({ $ref: '#/components/schemas/Message' }),
};

function requestOf(body: NonNullable<NpmOperation['body']>): JsonSchema {
  if (typeof body === 'string') {
    const schema = { $ref: `#/components/schemas/${body}` };
    return { content: body === 'LoginForm' ? { 'application/x-www-form-urlencoded': { schema } } : json(schema) };
  }
  const { $schema: _schema, ...schema } = z.toJSONSchema(body, { io: 'input' });
  return { content: json(schema) };
}

function json(schema: JsonSchema): JsonSchema {
  return { 'application/json': { schema } };
}
