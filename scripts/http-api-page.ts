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

/** A schema, as far as the page shows it. */
interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: Schema;
  readonly required?: readonly string[];
  readonly description?: string;
}

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
  const required = parameter['required'] === true ? ', required' : '';
  return `\`${String(parameter['name'])}\` ${typeText(parameter['schema'] as Schema)}${required}`;
}

function answerText(status: string, answer: Json): string {
  const schema = schemaIn(answer);
  return schema ? `${status} ${typeText(schema)}` : status;
}

function bodyText(schema: Schema): string {
  const { properties, required } = schema;
  if (!properties) return typeText(schema);
  return Object.entries(properties)
    .map(([name, field]) => `\`${name}\` ${typeText(field)}${required?.includes(name) ? ', required' : ''}`)
    .join('; ');
}

function renderSchema(name: string, schema: Schema): string {
  const { properties, description, required = [] } = schema;
  const head = [`### ${name}`, ...(description === undefined ? [] : [description])];
  if (!properties) return [...head, typeText(schema)].join('\n\n');
  const fields = Object.entries(properties).map(([field, value]) => {
    const meaning = value.description === undefined ? '' : ` (${value.description.replace(/\.$/, '')})`;
    return `\`${field}\` ${typeText(value)}${required.includes(field) ? '' : ', optional'}${meaning}`;
  });
  return [...head, fields.length === 0 ? 'An empty object.' : `${fields.join('; ')}.`].join('\n\n');
}

/** A schema in a few words. */
function typeText(schema: Schema): string {
  const { $ref, anyOf, items, properties = {}, additionalProperties = {}, format: form } = schema;
  const values = 'const' in schema ? [schema.const] : schema.enum;
  if ($ref !== undefined) return linkTo($ref);
  if (values) return values.map((value) => `\`${JSON.stringify(value)}\``).join(' or ');
  if (anyOf) return anyOf.map((one) => typeText(one)).join(' or ');
  const types = [schema.type ?? []].flat();
  if (types[0] === 'array') return items && !('not' in items) ? `list of ${typeText(items)}` : 'list';
  if (types[0] === 'object') {
    const fields = Object.entries(properties).map(([name, field]) => `\`${name}\` ${typeText(field)}`);
    if (fields.length > 0) return `object (${fields.join('; ')})`;
    return Object.keys(additionalProperties).length > 0 ? `object of ${typeText(additionalProperties)}` : 'object';
  }
  const names = types.filter((one) => one !== 'null' || types.length === 1);
  return form ?? (names.length === 0 ? 'any value' : names.join(' or '));
}

function linkTo(reference: string): string {
  const name = reference.slice(reference.lastIndexOf('/') + 1);
  return `[${name}](#${name.toLowerCase()})`;
}

function schemaIn(holder: Json): Schema | undefined {
  const content = holder['content'] as Readonly<Record<string, { schema: Schema }>> | undefined;
  const [type = '', media] = Object.entries(content ?? {})[0] ?? [];
  return media && (/json$|form/.test(type) ? media.schema : { type });
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
