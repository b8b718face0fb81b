import { useMutation, useQuery, type UseQueryOptions } from '@tanstack/react-query';
import type { CallError, CallReply } from '../../server/contract/bridge.ts';
import { hideControls } from '../../server/contract/printable.ts';
import type { MethodName, MethodParams, MethodResult } from '../../server/contract/methods.ts';

/** A call that did not succeed, as the screens see it: `message` is a sentence that can be shown as it is. */
export class CallFailed extends Error {
  readonly code: CallError['code'];
  readonly details: CallError['details'];

  constructor(error: CallError) {
    super(visible(error.message));
    this.name = 'CallFailed';
    this.code = error.code;
    this.details = visible(error.details);
  }
}

/**
 * A value for the screens: much of its text comes from outside, and nothing in it may reverse, hide or overprint what stands beside it.
 * Line feeds and tabs stay.
 */
export function visible<T>(value: T): T {
  if (typeof value === 'string') return hideControls(value) as T & string;
  if (Array.isArray(value)) return value.map((item: unknown) => visible(item)) as T & unknown[];
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [hideControls(key), visible<unknown>(item)]),
  ) as T;
}

/** Turns a reply of the bridge into its value; throws CallFailed for `ok: false`. */
export function unwrap<T>(reply: CallReply<T>): T {
  if (reply.ok) return visible(reply.value);
  throw new CallFailed(reply.error);
}

/** Calls a method of the server and returns its result; throws CallFailed. */
export async function call<M extends MethodName>(method: M, params: MethodParams<M>): Promise<MethodResult<M>> {
  return unwrap(await window.gatehouse.call(method, params));
}

export type QueryKey = readonly unknown[];

/** The key of a method's query: area, name, parameters. Events invalidate by its beginning, and by some of the parameters. */
export function keyOf<M extends MethodName>(method: M, params?: Partial<MethodParams<M>>): QueryKey {
  return [...method.split('.'), ...(params === undefined ? [] : [params])];
}

/** The result of a method of the server, refetched when an event says that it changed. */
export function useServerQuery<M extends MethodName, T = MethodResult<M>>(
  method: M,
  params: MethodParams<M>,
  options: Omit<UseQueryOptions<MethodResult<M>, Error, T>, 'queryKey' | 'queryFn'> = {},
) {
  return useQuery({ queryKey: keyOf(method, params), queryFn: () => call(method, params), ...options });
}

/**
 * A method of the server as a mutation. What it changes is refetched when the server's event arrives. With `handlesErrors` the caller
 * shows what went wrong; otherwise a notification does.
 */
export function useCall<M extends MethodName>(method: M, options: { handlesErrors?: boolean } = {}) {
  return useMutation<MethodResult<M>, Error, MethodParams<M>>({
    meta: { handlesErrors: options.handlesErrors === true },
    mutationFn: (params) => call(method, params),
  });
}

/** Every sentence that an error has to say, the general one first. */
export function errorSentences(error: unknown): string[] {
  if (error instanceof CallFailed) {
    const more = error.details.messages ?? [];
    return more.length > 0 ? [...more] : [error.message];
  }
  return [error instanceof Error ? error.message : String(error)];
}

/** What stopped a call although what it asked for may be fine. */
const failures: ReadonlySet<CallError['code']> = new Set([
  'app_unavailable',
  'app_timeout',
  'upstream_unavailable',
  'upstream_invalid',
  'storage_full',
  'storage_unavailable',
  'data_damaged',
  'busy',
  'shutting_down',
  'internal',
]);

/** The title above the sentences of an error: a change that a rule refused is no fault, and nothing of it was done. */
export function errorTitle(error: unknown): string {
  return error instanceof CallFailed && !failures.has(error.code) ? 'Nothing was changed' : 'Something went wrong';
}
