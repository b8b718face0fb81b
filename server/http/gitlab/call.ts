import type { IncomingMessage } from 'node:http';
import type { DirectoryServices } from '../../accounts/directory-services.ts';
import type { Actor } from '../../accounts/change.ts';
import type { Principal } from '../../accounts/access/principal.ts';
import type { EnvironmentServices } from '../../environments/environment-services.ts';
import type { PackageServices } from '../../registry/package-services.ts';
import { type Page, pageHeaders, readPage, slicePage } from './pagination.ts';
import { type Declaration, readParameters, type Values } from './params.ts';
import type { Parameters } from './request-parameters.ts';

/** What the routers of this API are made of. */
export interface GitlabServices {
  readonly version: string;
  readonly directory: DirectoryServices;
  readonly environments: EnvironmentServices;
  readonly packages: Pick<PackageServices, 'store' | 'editor' | 'versionList'>;
}

/** One request that was routed and whose caller is known. */
export interface GitlabCall {
  readonly req: IncomingMessage;
  readonly services: GitlabServices;
  readonly principal: Principal;
  readonly actor: Actor;
  /** Scheme, host and port that the client used. */
  readonly origin: string;
  /** Raw path with the mount point, without the query. */
  readonly rawPath: string;
  readonly query: URLSearchParams;
  /** Decoded parameters of the path. */
  readonly path: Readonly<Record<string, string>>;
  /**
   * Parameters of query, body and path, the later ones winning; asked for after authorisation, which comes before complaints.
   * @throws ParameterError or GatehouseError if the body could not be read.
   */
  parameters(): Parameters;
}

/** What a handler answers; sent in one place. */
export interface Answer {
  readonly status: number;
  /** JSON; undefined for an empty body. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export type Handler = (call: GitlabCall) => Answer | Promise<Answer>;

export function ok(body: unknown): Answer {
  return { status: 200, body };
}

export function created(body: unknown): Answer {
  return { status: 201, body };
}

export function accepted(): Answer {
  return { status: 202, body: { message: '202 Accepted' } };
}

export const noContent: Answer = { status: 204 };

/** The declared parameters of a call. @throws ParameterError. */
export function read<D extends Declaration>(call: GitlabCall, declaration: D): Values<D> {
  return readParameters(declaration, call.parameters());
}

/** One page of a list as 200 with GitLab's headers. */
export function pageOf<T>(call: GitlabCall, rows: readonly T[], present: (row: T) => unknown): Answer {
  const page = readPage(call.parameters());
  return {
    status: 200,
    body: slicePage(rows, page).map(present),
    headers: headersOf(call, page, rows.length),
  };
}

/** GitLab's pagination headers for a page of a list with `total` rows. */
export function headersOf(call: GitlabCall, page: Page, total: number): Record<string, string> {
  return pageHeaders(page, total, {
    url: `${call.origin}${call.rawPath}`,
    query: call.query,
    pathParameters: call.path,
  });
}

/** A parameter of the path that the route's pattern has. */
export function pathParameter(call: GitlabCall, name: string): string {
  return call.path[name] ?? '';
}
