import { z } from 'zod';
import { gitlabSubjects } from '../gitlab/gitlab-routes.ts';
import { instanceRoutes } from '../instance-routes.ts';
import { npmSubjects } from '../npm/npm-routes.ts';
import type { JsonSchema } from '../operation.ts';
import { methods } from '../route-matcher.ts';
import { errorSchemas, statusText } from './errors.ts';
import { gitlabOperation, instanceOperation, npmOperation, type OperationObject } from './operations.ts';
import { pageHeaders, sharedParameters } from './parameters.ts';
import { answers, requests } from './schemas.ts';

/** An OpenAPI document, as far as it is read here. */
export interface OpenApiDocument {
  readonly openapi: '3.1.0';
  readonly info: JsonSchema;
  readonly servers: readonly { readonly url: string }[];
  readonly security: readonly JsonSchema[];
  readonly tags: readonly { readonly name: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, OperationObject>>>>;
  readonly components: Readonly<Record<string, Readonly<Record<string, JsonSchema>>>>;
}

interface DocumentOptions {
  readonly version: string;
  /** Whether schemas of answers allow only the properties that they name; for comparing answers with them. */
  readonly closed?: boolean;
}

/** The prefixes of the npm API, with what makes the names of their operations differ. */
export const npmPrefixes = {
  project: { path: '/api/v4/projects/:id/packages/npm', suffix: 'InProject' },
  group: { path: '/api/v4/groups/:id/-/packages/npm', suffix: 'InGroup' },
  instance: { path: '/api/v4/packages/npm', suffix: '' },
} as const;

const description = `The HTTP interface of a Gatehouse registry: the npm registry API on three prefixes, GitLab’s package and protected environment APIs and the directory around them.

**Tokens.** Send a personal access token as \`Authorization: Bearer\`, as \`PRIVATE-TOKEN\`, as the password of Basic, or as the query parameter \`private_token\`. Administrators with the scope \`sudo\` act as another user with the header or parameter \`sudo\`.

**Parameters of GitLab’s calls** can stand in a JSON body, in a form or in the query. Lists come in pages: \`page\`, \`per_page\`, and the headers \`X-Total\`, \`X-Next-Page\` and \`Link\`.

**Names.** Projects and groups are numbers or URL-encoded paths. The slash of a scoped package can stand as it is or encoded.

GET also stands for HEAD. Statuses from 500 are failures of the server, or of another registry behind it.`;

/** The document of every call under \`/api/v4\` and \`/-/\`, made of the tables of routes. */
export function createDocument({ version, closed = false }: DocumentOptions): OpenApiDocument {
  const paths: Record<string, Record<string, OperationObject>> = {};
  const add = (path: string, method: string, operation: OperationObject) => {
    (paths[path.replaceAll(/[:*](\w+)/g, '{$1}')] ??= {})[method.toLowerCase()] = operation;
  };
  for (const { path, GET } of instanceRoutes) add(path, 'GET', instanceOperation('Server', GET));
  for (const [subject, routes] of Object.entries(gitlabSubjects)) {
    for (const route of routes) {
      const path = `/api/v4${route.pattern}`;
      for (const method of methods) {
        const operation = route[method];
        if (operation) add(path, method, gitlabOperation(operation, { subject, path, method }));
      }
    }
  }
  for (const { path: prefix, suffix } of Object.values(npmPrefixes)) {
    for (const [subject, routes] of Object.entries(npmSubjects)) {
      for (const route of routes) {
        const path = prefix + route.pattern;
        for (const method of methods) {
          const operation = route[method];
          if (operation) add(path, method, npmOperation(operation, { subject, path, method, suffix }));
        }
      }
    }
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Gatehouse', version, description, license: { name: 'MIT', identifier: 'MIT' } },
    servers: [{ url: '/' }],
    security: Object.keys(securitySchemes).map((name) => ({ [name]: [] })),
    tags: ['Server', ...Object.keys(gitlabSubjects), ...Object.keys(npmSubjects)].map((name) => ({ name })),
    paths,
    components: {
      schemas: { ...schemasOf({ ...answers, ...errorSchemas }, closed), ...schemasOf(requests, false) },
      responses: errorResponses(paths),
      parameters: sharedParameters,
      headers: pageHeaders,
      securitySchemes,
    },
  };
}

const securitySchemes = {
  bearer: { type: 'http', scheme: 'bearer' },
  privateToken: { type: 'apiKey', in: 'header', name: 'PRIVATE-TOKEN' },
  basic: { type: 'http', scheme: 'basic', description: 'Any user name, with the token as the password.' },
  privateTokenInQuery: { type: 'apiKey', in: 'query', name: 'private_token' },
};

function schemasOf(named: Readonly<Record<string, z.ZodType>>, closed: boolean): Record<string, JsonSchema> {
  const registry = z.registry<{ id: string }>();
  for (const [id, schema] of Object.entries(named)) registry.add(schema, { id });
  const { schemas } = z.toJSONSchema(registry, {
    uri: (id) => `#/components/schemas/${id}`,
    io: closed ? 'output' : 'input',
  });
  return Object.fromEntries(
    Object.entries(schemas).map(([name, { $schema: _schema, $id: _id, ...schema }]) => [name, schema]),
  );
}

/** The answers with an error, one for each status and API. */
function errorResponses(paths: OpenApiDocument['paths']): Record<string, JsonSchema> {
  const names = new Set(
    Object.values(paths).flatMap((path) =>
      Object.values(path).flatMap(({ responses }) =>
        Object.values(responses).flatMap((response) => /responses\/(\w+)$/.exec(String(response['$ref']))?.[1] ?? []),
      ),
    ),
  );
  return Object.fromEntries(
    [...names].toSorted().map((name) => {
      // `npm404`, `gitlab5XX`
      const [api, status] = [name.slice(0, -3), name.slice(-3)];
      const schema = { $ref: `#/components/schemas/${api}Error` };
      const text = status === '5XX' ? 'A failure of the server or of another registry.' : statusText(Number(status));
      return [name, { description: text, content: { 'application/json': { schema } } }];
    }),
  );
}
