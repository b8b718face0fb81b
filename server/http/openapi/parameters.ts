import { paging } from '../gitlab/lists.ts';
import type { JsonSchema } from '../operation.ts';

const text = { type: 'string' };
const number = { type: 'integer' };

/** Parameters of paths by their names; what `:id` is depends on the collection before it. */
const inPaths: Readonly<Record<string, { readonly schema: JsonSchema; readonly description: string }>> = {
  'projects/id': { schema: text, description: 'Number or URL-encoded path of the project.' },
  'groups/id': { schema: text, description: 'Number or URL-encoded path of the group.' },
  'namespaces/id': { schema: text, description: 'Number or URL-encoded path of the namespace.' },
  'users/id': { schema: number, description: 'Number of the user.' },
  'personal_access_tokens/id': { schema: text, description: 'Number of the token, or `self`.' },
  user_id: { schema: number, description: 'Number of the user.' },
  group_id: { schema: number, description: 'Number of the invited group.' },
  environment_id: { schema: number, description: 'Number of the environment.' },
  audit_event_id: { schema: number, description: 'Number of the event.' },
  package_id: { schema: number, description: 'Number of the version.' },
  package_file_id: { schema: number, description: 'Number of the file, which is that of the version.' },
  'protected_environments/name': { schema: text, description: 'Name of the environment.' },
  name: { schema: text, description: 'Name of the package.' },
  tag: { schema: text, description: 'Name of the dist-tag.' },
  pattern: { schema: text, description: 'A dist-tag, or a pattern in which `*` stands for any characters.' },
  selector: { schema: text, description: 'Version or dist-tag.' },
  spec: { schema: text, description: '`NAME@VERSION`.' },
  file: { schema: text, description: 'Name of the tarball.' },
  folder: { schema: text, description: 'Scope of the package, with the `@`.' },
  revision: { schema: text, description: '`_rev` of the document that was read.' },
  user: { schema: text, description: 'Name of the user.' },
  org: { schema: text, description: 'Path of the group, with or without an `@`.' },
  team: { schema: text, description: 'Path of the subgroup.' },
  stage: { schema: { type: 'string', format: 'uuid' }, description: 'Id of the staged version.' },
  release: { schema: { type: 'string', format: 'uuid' }, description: 'Id of what waits for approval.' },
  'token/key': { schema: text, description: 'Key of the token, the first six letters or more of it, or the secret.' },
  'user/key': { schema: text, description: '`org.couchdb.user:` and the name of the user.' },
  token: { schema: text, description: 'The secret of the token.' },
  hook: { schema: text, description: 'Id of the hook.' },
  trust: { schema: text, description: 'Id of the trusted publisher.' },
};

/**
 * The parameters of a path, as references.
 * @throws Error if one is not described above.
 */
export function pathParameters(path: string): JsonSchema[] {
  const segments = path.split('/');
  return segments.flatMap((segment, index) => {
    const [, name] = /^[:*](\w+)$/.exec(segment) ?? [];
    if (name === undefined) return [];
    const key = [`${segments[index - 1]}/${name}`, name].find((candidate) => Object.hasOwn(inPaths, candidate));
    if (key === undefined) throw new Error(`Describe the parameter ${name} of ${path} in openapi/parameters.ts.`);
    return [{ $ref: `#/components/parameters/${componentName(key)}` }];
  });
}

/** A parameter of the query. */
export function queryParameter(name: string, schema: JsonSchema, required = false): JsonSchema {
  const { description, ...rest } = schema;
  return {
    name,
    in: 'query',
    ...(required ? { required } : {}),
    ...(description === undefined ? {} : { description }),
    // Lists are one text with commas.
    ...(schema['type'] === 'array' ? { style: 'form', explode: false } : {}),
    schema: rest,
  };
}

/** Parameters that several operations share. */
export const sharedParameters: Readonly<Record<string, JsonSchema>> = {
  ...Object.fromEntries(
    Object.entries(inPaths).map(([key, parameter]) => [
      componentName(key),
      { name: key.split('/').at(-1), in: 'path', required: true, ...parameter },
    ]),
  ),
  page: queryParameter('page', { ...paging.page.schema, minimum: 1, default: 1 }),
  per_page: queryParameter('per_page', { ...paging.per_page.schema, minimum: 1, maximum: 100, default: 20 }),
};

export const pageParameters = ['page', 'per_page'].map((name) => ({ $ref: `#/components/parameters/${name}` }));

/** The headers of a page of a list. */
export const pageHeaders: Readonly<Record<string, JsonSchema>> = {
  'X-Page': { schema: number, description: 'The page.' },
  'X-Per-Page': { schema: number, description: 'Rows of a page.' },
  'X-Next-Page': { schema: text, description: 'The next page; empty on the last.' },
  'X-Prev-Page': { schema: text, description: 'The page before; empty on the first.' },
  'X-Total': { schema: number, description: 'All rows; missing above 10,000.' },
  'X-Total-Pages': { schema: number, description: 'All pages; missing above 10,000 rows.' },
  Link: { schema: text, description: 'Addresses of the pages `prev`, `next`, `first` and `last` (RFC 8288).' },
};

function componentName(key: string): string {
  return key.replace('/', '_');
}
