import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { format, resolveConfig } from 'prettier';
import { createDocument, npmPrefixes, type OpenApiDocument } from '../server/http/openapi/document.ts';

/*
 * Writes docs/reference/http-api.md from the OpenAPI document: `npm run api-page`. A test says if the page is not what this would write.
 */

export const page = fileURLToPath(new URL('../docs/reference/http-api.md', import.meta.url));

type Operation = OpenApiDocument['paths'][string][string];
type Json = Readonly<Record<string, unknown>>;

/** The text of the page. */
export async function renderPage(): Promise<string> {
  const document = createDocument({ version: '' });
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    // npm's calls are the same at each prefix.
    isRepeated(path)
      ? []
      : Object.entries(methods).map(([method, operation]) => ({
          method: method.toUpperCase(),
          path: path.replace(npmPrefixes.instance.path, 'PREFIX'),
          operation,
        })),
  );
  const sections = document.tags.map(({ name }) => {
    const calls = operations.filter(({ operation }) => operation.tags.includes(name));
    return [`## ${name}`, ...calls.map((call) => renderCall(document, call))].join('\n\n');
  });
  const text = [
    '# HTTP API',
    '<!-- Written by scripts/http-api-page.ts from the tables of routes. -->',
    'The same as an OpenAPI 3.1 document, for code generators and API clients: `GET /api/v4/openapi.json`, without a token.',
    String(document.info['description']),
    `In npm’s calls \`PREFIX\` is one of ${Object.values(npmPrefixes)
      .map(({ path }) => `\`${path.replaceAll(/:(\w+)/g, '{$1}')}\``)
      .join(', ')}. Packages are published at the prefix of a project.`,
    ...sections,
    '## Parts of paths',
    Object.values(document.components['parameters'] ?? {})
      .filter((parameter) => parameter['in'] === 'path')
      .map((parameter) => `- \`${String(parameter['name'])}\`: ${String(parameter['description'])}`)
      .join('\n'),
    '## Bodies',
    ...Object.entries(document.components['schemas'] ?? {}).map(([name, schema]) => renderSchema(name, schema)),
  ].join('\n\n');
  return format(text, { ...(await resolveConfig(page)), filepath: page });
}

function isRepeated(path: string): boolean {
  return [npmPrefixes.project, npmPrefixes.group].some((prefix) =>
    path.startsWith(prefix.path.replaceAll(/:(\w+)/g, '{$1}')),
  );
}

function renderCall(
  document: OpenApiDocument,
  { method, path, operation }: { method: string; path: string; operation: Operation },
): string {
  const { parameters = [], requestBody, responses, summary, description } = operation;
  const resolved = parameters.map((parameter) => resolve(document, parameter));
  const query = resolved
    .filter((parameter) => parameter['in'] === 'query')
    .map((parameter) => parameterText(parameter));
  const body = requestBody && schemaIn(requestBody);
  const [errors, answers] = partition(Object.entries(responses), ([status]) => /^[45]/.test(status));
  const lines = [
    query.length > 0 && `Query: ${query.join(', ')}`,
    body && `Body: ${bodyText(body)}`,
    answers.length > 0 && `Answers: ${answers.map(([status, answer]) => answerText(status, answer)).join(', ')}`,
    `Errors: ${errors.map(([status]) => status).join(', ')}`,
  ].filter((line) => line !== false && line !== undefined);
  return [`### ${summary}`, `\`${method} ${path}\``, description, lines.map((line) => `- ${line}`).join('\n')].join(
    '\n\n',
  );
}

function parameterText(parameter: Json): string {
  const schema = parameter['schema'] as Json;
  return `\`${String(parameter['name'])}\` ${typeText(schema)}${parameter['required'] === true ? ', required' : ''}`;
}

function answerText(status: string, answer: Json): string {
  const schema = schemaIn(answer);
  return schema ? `${status} ${typeText(schema)}` : status;
}

function bodyText(schema: Json): string {
  const { properties, required } = schema as { properties?: Record<string, Json>; required?: readonly string[] };
  if (!properties) return typeText(schema);
  return Object.entries(properties)
    .map(([name, field]) => `\`${name}\` ${typeText(field)}${required?.includes(name) ? ', required' : ''}`)
    .join('; ');
}

function renderSchema(name: string, schema: Json): string {
  const { properties, description } = schema as { properties?: Record<string, Json>; description?: string };
  const head = [`### ${name}`, ...(description === undefined ? [] : [description])];
  if (!properties) return [...head, `${typeText(schema, true)}`].join('\n\n');
  const { required = [] } = schema as { required?: readonly string[] };
  const fields = Object.entries(properties).map(([field, value]) => {
    const meaning = typeof value['description'] === 'string' ? ` (${value['description'].replace(/\.$/, '')})` : '';
    return `\`${field}\` ${typeText(value)}${required.includes(field) ? '' : ', optional'}${meaning}`;
  });
  return [...head, fields.length === 0 ? 'An empty object.' : `${fields.join('; ')}.`].join('\n\n');
}

/** A schema in a few words. */
function typeText(schema: Json, isWhole = false): string {
  const { $ref, type, anyOf, items, additionalProperties, format: kind } = schema;
  const values = 'const' in schema ? [schema['const']] : schema['enum'];
  if (typeof $ref === 'string') return linkTo($ref);
  if (Array.isArray(values)) return values.map((value) => `\`${JSON.stringify(value)}\``).join(' or ');
  if (Array.isArray(anyOf)) return anyOf.map((one: Json) => typeText(one, isWhole)).join(' or ');
  if (type === 'array' || (Array.isArray(type) && type[0] === 'array')) {
    const element = items as Json | undefined;
    return element && !('not' in element) ? `list of ${typeText(element)}` : 'list';
  }
  if (type === 'object') {
    const { properties } = schema as { properties?: Record<string, Json> };
    if (properties && Object.keys(properties).length > 0) {
      const fields = Object.entries(properties).map(([name, field]) => `\`${name}\` ${typeText(field)}`);
      return `object (${fields.join('; ')})`;
    }
    const values = additionalProperties as Json | undefined;
    return values && Object.keys(values).length > 0 ? `object of ${typeText(values)}` : 'object';
  }
  const name = Array.isArray(type) ? type.filter((one) => one !== 'null').join(' or ') : String(type ?? 'any value');
  return kind === undefined ? name : `${String(kind)}`;
}

function linkTo(reference: string): string {
  const name = reference.slice(reference.lastIndexOf('/') + 1);
  return `[${name}](#${name.toLowerCase()})`;
}

function schemaIn(holder: Json): Json | undefined {
  const content = holder['content'] as Readonly<Record<string, { schema: Json }>> | undefined;
  const [type, media] = Object.entries(content ?? {})[0] ?? [];
  if (!media) return undefined;
  return type?.endsWith('json') || type?.includes('form') ? media.schema : { type };
}

function resolve(document: OpenApiDocument, value: Json): Json {
  const { $ref } = value;
  if (typeof $ref !== 'string') return value;
  const [, , kind = '', name = ''] = $ref.split('/');
  return document.components[kind]?.[name] ?? value;
}

function partition<T>(values: readonly T[], isFirst: (value: T) => boolean): [T[], T[]] {
  return [values.filter((value) => isFirst(value)), values.filter((value) => !isFirst(value))];
}

/** Whether the page in the tree is what would be written. */
export async function isCurrent(): Promise<boolean> {
  return (await readFile(page, 'utf8').catch(() => '')) === (await renderPage());
}

if (import.meta.main) await writeFile(page, await renderPage());
