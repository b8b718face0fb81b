import type { CallReply } from '../../server/contract/bridge.ts';

/** What an error says, whatever was thrown. */
export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** The answer to the page that something could not be done, in a sentence for the person. */
export function failure(message: string): CallReply<never> {
  return { ok: false, error: { code: 'internal', message, details: {} } };
}
