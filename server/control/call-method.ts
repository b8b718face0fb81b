import { GatehouseError } from '../contract/errors.ts';
import type { LinkError } from '../contract/link.ts';
import { methods } from '../contract/methods.ts';
import type { Caller, MethodInput, MethodName, MethodResult } from '../contract/methods.ts';
import { hideControls } from '../contract/printable.ts';
import { asGatehouseError, explainDataError } from '../lib/file-error.ts';

/** A method whose result is `null` may return nothing. */
type Result<M extends MethodName> = MethodResult<M> | (MethodResult<M> extends null ? void : never);
type Implementation<M extends MethodName> = (input: MethodInput<M>) => Result<M> | Promise<Result<M>>;

/** The methods whose names start with an area, for instance `packages`. */
export type MethodsOf<Area extends string> = {
  readonly [M in Extract<MethodName, `${Area}.${string}`>]: Implementation<M>;
};
export type MethodTable = { readonly [M in MethodName]: Implementation<M> };

/**
 * Carries out a call with unchecked parameters: the one place where they meet their schema.
 * @throws GatehouseError `invalid_request` for parameters that do not fit and for a method that `caller` does not have.
 */
export async function callMethod(
  table: Partial<MethodTable>,
  caller: Caller,
  name: string,
  params: unknown,
): Promise<unknown> {
  const method = isMethodName(name) ? methods[name] : undefined;
  const implementation = isMethodName(name) ? table[name] : undefined;
  if (!method?.callers.includes(caller) || !implementation)
    throw new GatehouseError('invalid_request', `There is no method "${name.slice(0, 60)}".`);
  const input = method.input.safeParse(params ?? {});
  if (!input.success) {
    const messages = input.error.issues.map((issue) => `${issue.path.join('.') || 'params'}: ${issue.message}`);
    throw new GatehouseError('invalid_request', `The call is not valid. ${messages.join('; ')}`, { messages });
  }
  return (await implementation(input.data as never)) ?? null;
}

/**
 * An error as it crosses the control link: its caller is the owner of the data folder, who may know its paths. One that is unexpected or
 * about a file goes to the log as well; the details of an unexpected one do not cross.
 */
export function describeError(error: unknown, dataFolder: string): LinkError {
  const known = asGatehouseError(error);
  const fault = explainDataError(error, dataFolder);
  if (known.code === 'internal' || fault !== undefined)
    process.stderr.write(`control: ${hideControls(fault ?? inspectError(error)).replaceAll('\n', '\n  ')}\n`);
  return { code: known.code, message: fault ?? known.message, details: { ...known.details } };
}

function inspectError(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

function isMethodName(name: string): name is MethodName {
  return Object.hasOwn(methods, name);
}
