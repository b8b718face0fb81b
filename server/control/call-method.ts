import { z } from 'zod';
import { GatehouseError } from '../contract/errors.ts';
import type { LinkError } from '../contract/link.ts';
import { isMethodName, methods } from '../contract/methods.ts';
import { asGatehouseError } from '../lib/as-gatehouse-error.ts';
import type { MethodTable } from './method-types.ts';

/**
 * Carries out a call that came over a control link, with parameters that nobody has checked yet.
 * @throws GatehouseError `not_found` for a method that is not there, `invalid_request` for parameters that are not its own.
 */
export async function callMethod(table: Partial<MethodTable>, method: string, params: unknown): Promise<unknown> {
  if (!isMethodName(method)) throw new GatehouseError('not_found', `There is no method "${method.slice(0, 60)}".`);
  const input = methods[method].input.safeParse(params ?? {});
  if (!input.success) throw new GatehouseError('invalid_request', z.prettifyError(input.error));
  const implementation = table[method];
  if (!implementation)
    throw new GatehouseError(
      'not_found',
      `This is only possible beside a running server (${method}). Start it first: open the app, or run "gatehouse serve".`,
    );
  return implementation(input.data as never);
}

/** An error as it crosses a control link; what nobody foresaw goes to the log and crosses without its details. */
export function describeError(error: unknown): LinkError {
  const known = asGatehouseError(error);
  if (known.code === 'internal')
    process.stderr.write(`control: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
  return { code: known.code, message: known.message, details: { ...known.details } };
}
