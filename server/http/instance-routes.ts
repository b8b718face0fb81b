import type { Express, NextFunction, Request, RequestHandler, Response } from 'express';
import type { AppOptions } from './api-options.ts';
import { renderMetrics } from './metrics.ts';
import type { Operation } from './operation.ts';
import { sendJson } from './respond.ts';

export interface InstanceOptions extends Pick<AppOptions, 'registry' | 'isReady' | 'requests'> {
  /** Answers with the OpenAPI document. */
  readonly sendDocument: RequestHandler;
}

export interface InstanceRoute {
  readonly path: string;
  readonly GET: Operation<(req: Request, res: Response, options: InstanceOptions, next: NextFunction) => unknown>;
}

/** What the server says of itself. Open to everybody, as none of it discloses anything that is stored. */
export const instanceRoutes: readonly InstanceRoute[] = [
  {
    path: '/-/liveness',
    GET: {
      handle: (_req, res) => sendJson(res, 200, { status: 'ok' }),
      summary: 'Ask whether the process answers',
      access: 'anyone',
      answers: { 200: 'Liveness' },
    },
  },
  { path: '/-/readiness', GET: { ...readiness(), summary: 'Ask whether the registry answers' } },
  { path: '/-/health', GET: { ...readiness(), summary: 'Ask for the health of the registry' } },
  {
    path: '/-/metrics',
    GET: {
      handle: sendMetrics,
      summary: 'Show metrics',
      description: 'In the text format of Prometheus: sums only, nothing that names a package, a user or a token.',
      access: 'anyone',
      answers: { 200: 'text' },
    },
  },
  {
    path: '/api/v4/openapi.json',
    GET: {
      handle: (req, res, { sendDocument }, next) => sendDocument(req, res, next),
      summary: 'Get this document',
      access: 'anyone',
      answers: { 200: 'OpenApiDocument', 304: 'nothing' },
    },
  },
];

/** Adds the routes to an app. */
export function addInstanceRoutes(app: Express, options: InstanceOptions): void {
  for (const { path, GET } of instanceRoutes) app.get(path, (req, res, next) => GET.handle(req, res, options, next));
}

/** 503 while the registry drains. */
function readiness(): Omit<InstanceRoute['GET'], 'summary'> {
  return {
    handle: (_req, res, { registry, isReady }) => {
      const answers = isReady();
      sendJson(res, answers ? 200 : 503, { status: answers ? 'ok' : 'unavailable', version: registry.version });
    },
    access: 'anyone',
    answers: { 200: 'Readiness', 503: 'Readiness' },
  };
}

function sendMetrics(_req: Request, res: Response, { registry, requests }: InstanceOptions): void {
  const body = renderMetrics(registry, requests);
  res.writeHead(200, {
    'Content-Type': 'text/plain; version=0.0.4; charset=utf-8',
    'Content-Length': Buffer.byteLength(body),
  });
  res.end(body);
}
