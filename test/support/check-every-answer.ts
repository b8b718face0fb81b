import { subscribe } from 'node:diagnostics_channel';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, afterEach } from 'vitest';
import { testPorts } from './registry.ts';
import { complaintAbout } from './answer-check.ts';

/*
 * Compares every answer of the registries of a test with the OpenAPI document, whichever client asked: a test fails where a route, a status
 * or a body is not in it.
 */

const complaints: string[] = [];

subscribe('http.server.request.start', (message) => {
  const { request, response } = message as {
    request: IncomingMessage & { originalUrl?: string };
    response: ServerResponse;
  };
  if (!testPorts.has(request.socket.localPort ?? 0)) return;
  const chunks: Buffer[] = [];
  const keep = (chunk: unknown): void => {
    if (typeof chunk === 'string') chunks.push(Buffer.from(chunk));
    else if (chunk instanceof Uint8Array && !isBytes(response)) chunks.push(Buffer.from(chunk));
  };
  for (const name of ['write', 'end'] as const) {
    const original = response[name].bind(response) as (...args: unknown[]) => unknown;
    Object.assign(response, {
      [name]: (...args: unknown[]) => {
        keep(args[0]);
        return original(...args);
      },
    });
  }
  response.once('finish', () => {
    const complaint = complaintAbout({
      method: request.method ?? 'GET',
      url: request.originalUrl ?? request.url ?? '/',
      headers: request.headers,
      status: response.statusCode,
      type: headerOf(response, 'content-type').split(';', 1)[0] ?? '',
      body: decode(Buffer.concat(chunks), headerOf(response, 'content-encoding')),
    });
    if (complaint !== undefined) complaints.push(complaint);
  });
});

function report(): void {
  const found = complaints.splice(0);
  if (found.length > 0) throw new Error(`Answers that the OpenAPI document does not allow:\n\n${found.join('\n\n')}`);
}
afterEach(report);
afterAll(report);

function isBytes(response: ServerResponse): boolean {
  return headerOf(response, 'content-type') === 'application/octet-stream';
}

/** A header of an answer; some are sent as lists of names and values, which Node keeps only as text. */
function headerOf(response: ServerResponse & { _header?: string | null }, name: string): string {
  const [, value = ''] = new RegExp(`^${name}: (.*)$`, 'im').exec(response._header ?? '') ?? [];
  return value.trim();
}

function decode(bytes: Buffer, encoding: string): string {
  if (bytes.length === 0) return '';
  if (encoding === 'gzip') return gunzipSync(bytes).toString('utf8');
  return (encoding === 'br' ? brotliDecompressSync(bytes) : bytes).toString('utf8');
}
