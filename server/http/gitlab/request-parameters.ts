import type { IncomingMessage } from 'node:http';
import { GatehouseError } from '../../contract/errors.ts';
import { readWholeBody } from '../request-body.ts';
import { queryOf } from '../respond.ts';
import { parseNested } from './nested-query.ts';
import { ParameterError } from '../errors.ts';

export type Parameters = Readonly<Record<string, unknown>>;

/** Largest body of a call of this API; the largest honest one is a few kilobytes. */
const largestBody = 1024 * 1024;

/** The parameters in the query of a request. */
export function queryParameters(req: IncomingMessage): Parameters {
  return parseNested(queryOf(req));
}

/**
 * The parameters in the body of a request: JSON, a form, or multipart. Anything that isn't an object counts as none, as does
 * plain text (api/environments.md 1.1, 2.1).
 * @throws ParameterError for JSON that doesn't parse; GatehouseError `unsupported_media_type` or `payload_too_large`.
 */
export async function bodyParameters(req: IncomingMessage): Promise<Parameters> {
  const body = await readWholeBody(req, largestBody);
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
