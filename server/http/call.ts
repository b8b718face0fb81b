import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Principal } from '../accounts/access/principal.ts';
import type { Registry } from '../services.ts';

/** A request whose caller is known. */
export interface Call {
  readonly registry: Registry;
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
  readonly principal: Principal;
  /** Scheme, host and port that the client used. */
  readonly origin: string;
  /** Network address of the client. */
  readonly address: string | null;
}

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
