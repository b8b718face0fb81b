import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { ownText } from '../lib/own-copy.ts';

/** An answer in JSON, or without a body. */
export interface Answer {
  readonly status: number;
  /** Undefined for an empty body. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export function ok(body: unknown, headers: Readonly<Record<string, string>> = {}): Answer {
  return { status: 200, body, headers };
}

export function created(body: unknown): Answer {
  return { status: 201, body };
}

export const noContent: Answer = { status: 204 };

/** JSON that was made piece by piece, over several turns of the event loop. */
export class JsonText {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** Answers with JSON. HEAD gets the headers alone, which Node sees to. */
export function sendJson(
  res: ServerResponse,
  status: number,
  value: unknown,
  headers: Readonly<Record<string, string>> = {},
): void {
  // As text, since Node sends that together with the head in one piece.
  const body = value instanceof JsonText ? value.text : JSON.stringify(value);
  res.writeHead(status, { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body), ...headers });
  res.end(body);
}

/** Sends an answer. */
export function send(res: ServerResponse, { status, body, headers }: Answer): void {
  if (body === undefined) sendEmpty(res, status, headers);
  else sendJson(res, status, body, headers);
}

/** Answers with a status and nothing else. */
export function sendEmpty(
  res: ServerResponse,
  status: number,
  headers: Readonly<Record<string, string>> | readonly string[] = {},
): undefined {
  res.writeHead(status, headers as OutgoingHttpHeaders);
  res.end();
}

/** The path of a request without its query, as it was sent. */
export function rawPathOf(req: IncomingMessage): string {
  const url = req.url ?? '/';
  const query = url.indexOf('?');
  return query === -1 ? url : url.slice(0, query);
}

/** As `rawPathOf`, with what Express cuts off for a mounted handler; a text that holds no longer one in memory. */
export function wholePathOf(req: IncomingMessage & { originalUrl?: string }): string {
  const url = req.originalUrl ?? req.url ?? '/';
  const query = url.indexOf('?');
  return query === -1 ? url : ownText(url.slice(0, query));
}

/** The query of a request. */
export function queryOf(req: IncomingMessage): URLSearchParams {
  const url = req.url ?? '/';
  const query = url.indexOf('?');
  return new URLSearchParams(query === -1 ? '' : url.slice(query + 1));
}

/** A query for headers of answers, which proxies log: without the token that it may have. */
export function queryWithoutToken(query: URLSearchParams): string {
  const shown = new URLSearchParams(query);
  for (const secret of ['private_token', 'access_token']) shown.delete(secret);
  return shown.toString();
}

/** A whole number that a query may have, as a JSON Schema: `default` counts if it is missing or no number, and larger ones as `maximum`. */
export interface NumberInQuery {
  readonly type: 'integer';
  readonly minimum: 0 | 1;
  readonly maximum: number;
  readonly default: number;
}

/** The number that a query has under a name. */
export function numberInQuery(query: URLSearchParams, name: string, schema: NumberInQuery): number {
  const text = query.get(name);
  if (text === null || !/^\d{1,9}$/.test(text)) return schema.default;
  return Math.max(schema.minimum, Math.min(Number(text), schema.maximum));
}

/** For answers that hold a secret or change at any moment. */
export const noStore = { 'Cache-Control': 'no-store' };

/** The Cache-Control of answers that are for their caller alone and may change at any moment. */
export const revalidate = 'private, max-age=0, must-revalidate';

/** A header that came once; undefined if it is missing or blank. */
export function headerOf(req: IncomingMessage, name: string): string | undefined {
  const value = req.headers[name];
  const text = Array.isArray(value) ? value[0] : value;
  return text === undefined || text.trim() === '' ? undefined : text;
}
