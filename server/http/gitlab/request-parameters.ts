import type { IncomingMessage } from 'node:http';
import { GatehouseError } from '../../contract/errors.ts';
import { carriesToken, type CredentialOptions } from '../authenticate.ts';
import { isHeldBack, readSmallBody } from '../request-body.ts';
import { type Answer, queryOf } from '../respond.ts';
import { parseNested } from './nested-query.ts';
import { ParameterError } from '../errors.ts';

export type Parameters = Readonly<Record<string, unknown>>;

/** Largest body of a call of this API; the largest honest one is a few kilobytes. */
const largestBody = 256 * 1024;
/** Largest body that may carry the token of a caller who sends none in a header or the query. */
const largestBodyWithToken = 8 * 1024;

/** A body that was read; `error` is why there are no parameters in it. */
export interface ReceivedBody {
  readonly parameters: Parameters;
  readonly error?: unknown;
}

/** Thrown by a handler that is allowed to go on and needs the body for it. */
export class BodyNeeded extends Error {}

/**
 * Answers a request: first without its body, so that nobody who is refused anyway has a body read or parsed; and if it is needed once
 * more from the start, so that the caller is decided about as if the whole request came now.
 */
export async function withBody(
  req: IncomingMessage,
  { jobTokens }: Pick<CredentialOptions, 'jobTokens'>,
  handle: (body: ReceivedBody | undefined) => Promise<Answer>,
): Promise<Answer> {
  if (!hasBody(req)) return handle({ parameters: {} });
  if (!carriesToken(req, { jobTokens })) return handle(await anonymousBody(req));
  try {
    return await handle(undefined);
  } catch (error) {
    if (!(error instanceof BodyNeeded)) throw error;
  }
  return handle(await receiveBody(req));
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

/** The parameters in the query of a request. */
export function queryParameters(req: IncomingMessage): Parameters {
  return parseNested(queryOf(req));
}

/** The body of a request, for a caller who may go on. */
async function receiveBody(req: IncomingMessage): Promise<ReceivedBody> {
  try {
    return { parameters: await readSmallBody(req, { size: largestBody }, (body) => bodyParameters(req, body)) };
  } catch (error) {
    return { parameters: {}, error };
  }
}

/** The body of a caller who sends no token elsewhere: parsed only if it may hold one, and read only if it is small. */
async function anonymousBody(req: IncomingMessage): Promise<ReceivedBody> {
  const { 'content-length': length, 'content-encoding': encoding } = req.headers;
  const none = { parameters: {} };
  if (isHeldBack(req) || encoding !== undefined || !(Number(length) <= largestBodyWithToken)) return none;
  try {
    const parameters = await readSmallBody(req, { size: largestBodyWithToken }, (body) =>
      body.includes('private_token') ? bodyParameters(req, body) : {},
    );
    return { parameters };
  } catch (error) {
    return { ...none, error };
  }
}

/**
 * The parameters in the body of a request: JSON, a form, or multipart. Anything that isn't an object counts as none, as does
 * plain text.
 * @throws ParameterError for JSON that doesn't parse; GatehouseError `unsupported_media_type`.
 */
async function bodyParameters(req: IncomingMessage, body: Buffer): Promise<Parameters> {
  if (body.length === 0) return {};
  const header = req.headers['content-type'] ?? 'application/json';
  const type = (header.split(';', 1)[0] ?? '').trim().toLowerCase();
  if (type === 'application/x-www-form-urlencoded') return parseNested(new URLSearchParams(body.toString('utf8')));
  if (type === 'text/plain') return {};
  const isMultipart = type === 'multipart/form-data';
  if (!isMultipart && type !== '' && !/^application\/(?:[\w.-]+\+)?json$/.test(type)) {
    throw new GatehouseError('unsupported_media_type', `The provided content-type '${type}' is not supported.`);
  }
  try {
    return isMultipart ? await multipartParameters(body, header) : jsonParameters(body);
  } catch {
    const format = isMultipart ? type : 'application/json';
    throw new ParameterError(
      `Problem while parsing the request: message body does not match declared format ${format}`,
    );
  }
}

function jsonParameters(body: Buffer): Parameters {
  const value: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Parameters) : {};
}

async function multipartParameters(body: Buffer, contentType: string): Promise<Parameters> {
  const form = await new Response(new Uint8Array(body), { headers: { 'Content-Type': contentType } }).formData();
  return parseNested([...form].flatMap(([name, value]) => (typeof value === 'string' ? [[name, value] as const] : [])));
}
