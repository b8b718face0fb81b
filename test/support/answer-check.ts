import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { gitlabRoutes } from '../../server/http/gitlab/gitlab-routes.ts';
import { parseNpmPath } from '../../server/http/npm/npm-path.ts';
import { isProjectCall } from '../../server/http/npm/project-calls.ts';
import { npmRoutes } from '../../server/http/npm/npm-routes.ts';
import { createDocument, npmPrefixes } from '../../server/http/openapi/document.ts';
import { RouteMatcher, segmentsOf } from '../../server/http/route-matcher.ts';

/** An answer of the server, as it went out but decoded. */
export interface SeenAnswer {
  readonly method: string;
  /** Path and query. */
  readonly url: string;
  /** Of the request. */
  readonly headers: IncomingHttpHeaders;
  readonly status: number;
  /** Without parameters; empty if there is none. */
  readonly type: string;
  readonly body: string;
}

const document = createDocument({ version: 'test', closed: true });
const ajv = new Ajv2020({ strict: false, allErrors: false });
formats(ajv);
ajv.addSchema(document, 'document');
const validators = new Map<string, ValidateFunction>();

const gitlab = new RouteMatcher(gitlabRoutes, { lenient: true });
const npm = new RouteMatcher(npmRoutes);

/** What is wrong with an answer by the OpenAPI document; undefined if nothing is. */
export function complaintAbout(answer: SeenAnswer): string | undefined {
  const { method, status } = answer;
  const path = templateOf(answer);
  const asked = `${method} ${answer.url} answers ${status}`;
  if (path === undefined) {
    const isRefusal = !/^\/(?:api\/v4|-)\//.test(answer.url) || status >= 400 || status === 301 || method === 'OPTIONS';
    return isRefusal
      ? undefined
      : `${asked}, but no route of the OpenAPI document fits. Declare it in a table of routes: gitlab-routes.ts, npm-routes.ts or instance-routes.ts.`;
  }
  const verb = method === 'HEAD' ? 'get' : method.toLowerCase();
  const responses = document.paths[path]?.[verb]?.responses;
  if (!responses) return `${asked}, but the OpenAPI document has no ${verb} of ${path}.`;
  const key = String(status) in responses ? String(status) : `${Math.floor(status / 100)}XX`;
  const response = responses[key];
  if (!response) {
    return `${asked}, which the route does not declare. Add ${status} to "answers" of ${verb} ${path}, or to "errors" if it is one.`;
  }
  const reference = response['$ref'];
  const pointer =
    typeof reference === 'string' ? reference.split('/').slice(1) : ['paths', path, verb, 'responses', key];
  const shared = document.components['responses']?.[pointer[2] ?? ''];
  return complaintAboutBody(answer, asked, {
    pointer,
    content: (reference === undefined ? response : shared)?.['content'],
  });
}

function complaintAboutBody(
  { method, status, type, body }: SeenAnswer,
  asked: string,
  { pointer, content }: { readonly pointer: readonly string[]; readonly content: unknown },
): string | undefined {
  if (method === 'HEAD' || status === 304) return undefined;
  if (typeof content !== 'object' || content === null)
    return body === '' ? undefined : `${asked} with a body, but declares none.`;
  if (!Object.hasOwn(content, type))
    return `${asked} as ${type || 'nothing'}, but declares ${Object.keys(content).join()}.`;
  if (!type.endsWith('json')) return undefined;
  const validate = validatorAt([...pointer, 'content', type, 'schema']);
  if (validate(JSON.parse(body))) return undefined;
  const errors = ajv.errorsText(validate.errors, { dataVar: 'body' });
  return `${asked} with ${body.slice(0, 600)}\nwhich does not fit its schema in server/http/openapi: ${errors}. The route names the schema in "answers".`;
}

function validatorAt(pointer: readonly string[]): ValidateFunction {
  const fragment = pointer
    .map((part) => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1')))
    .join('/');
  const known = validators.get(fragment) ?? ajv.compile({ $ref: `document#/${fragment}` });
  validators.set(fragment, known);
  return known;
}

/** The path of the document that a request fits, as the server's own matchers find it; undefined for none. */
function templateOf({ method, url, headers }: SeenAnswer): string | undefined {
  const path = url.split('?', 1)[0] ?? '/';
  if (Object.hasOwn(document.paths, path)) return path;
  const asTemplate = (pattern: string) => pattern.replaceAll(/[:*](\w+)/g, '{$1}');
  try {
    const parsed = parseNpmPath(path);
    if (parsed && !isProjectCall({ method, url, headers } as IncomingMessage, parsed)) {
      const match = npm.match(method, parsed.segments);
      return match.kind === 'route'
        ? asTemplate(npmPrefixes[parsed.prefix.kind].path + match.route.pattern)
        : undefined;
    }
    if (!path.startsWith('/api/v4/')) return undefined;
    const segments = segmentsOf(path.slice('/api/v4'.length), (text) =>
      decodeURIComponent(text.replace(/%(?![0-9a-f]{2})/gi, '%25')),
    );
    const match = gitlab.match(method, segments);
    return match.kind === 'route' ? asTemplate(`/api/v4${match.route.pattern}`) : undefined;
  } catch {
    // A path that cannot be decoded is refused before any route.
    return undefined;
  }
}
