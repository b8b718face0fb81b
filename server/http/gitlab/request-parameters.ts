import type { IncomingMessage } from 'node:http';
import { GatehouseError } from '../../contract/errors.ts';
import { readBody } from '../request-body.ts';
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
  const body = await wholeBody(req);
  if (body.length === 0) return {};
  const header = req.headers['content-type'] ?? 'application/json';
  const type = (header.split(';', 1)[0] ?? '').trim().toLowerCase();
  if (type === 'application/x-www-form-urlencoded') return parseNested(new URLSearchParams(body.toString('utf8')));
  if (type === 'multipart/form-data') return multipartParameters(body, header);
  if (type === 'text/plain') return {};
  if (type !== '' && type !== 'application/json' && !/^application\/[\w.-]+\+json$/.test(type)) {
    throw new GatehouseError('unsupported_media_type', `The provided content-type '${type}' is not supported.`);
  }
  return jsonParameters(body);
}

function jsonParameters(body: Buffer): Parameters {
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
  } catch {
    throw new ParameterError(
      'Problem while parsing the request: message body does not match declared format application/json',
    );
  }
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Parameters) : {};
}

async function multipartParameters(body: Buffer, contentType: string): Promise<Parameters> {
  try {
    const form = await new Response(new Uint8Array(body), { headers: { 'Content-Type': contentType } }).formData();
    const texts = [...form].flatMap(([name, value]) => (typeof value === 'string' ? [[name, value] as const] : []));
    return parseNested(texts);
  } catch {
    throw new ParameterError(
      'Problem while parsing the request: message body does not match declared format multipart/form-data',
    );
  }
}

async function wholeBody(req: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of readBody(req)) {
    size += chunk.length;
    if (size > largestBody)
      throw new GatehouseError('payload_too_large', `The body is larger than ${largestBody} bytes.`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
