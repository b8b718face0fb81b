import { linkRequest } from '../contract/link.ts';
import type { LinkReply } from '../contract/link.ts';
import type { RunningServer } from '../services.ts';
import type { OpenRegistry } from '../compose.ts';
import { callMethod, describeError } from './call-method.ts';
import { createMethodTable } from './method-table.ts';

/** Answers a request that came as one line of JSON; undefined for a line that is none. */
export type LineAnswering = (line: string) => Promise<LinkReply | undefined>;

export function createLineAnswering(registry: OpenRegistry, server: RunningServer): LineAnswering {
  const table = createMethodTable(registry, server);
  return async (line) => {
    const request = linkRequest.safeParse(parse(line));
    if (!request.success) return undefined;
    const { id, method, params } = request.data;
    try {
      return { kind: 'reply', id, ok: true, value: await callMethod(table, method, params) };
    } catch (error) {
      return { kind: 'reply', id, ok: false, error: describeError(error) };
    }
  };
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
