import type { MethodInput, MethodName, MethodResult } from '../contract/methods.ts';

type Implementation<M extends MethodName> = (input: MethodInput<M>) => MethodResult<M> | Promise<MethodResult<M>>;

/** The part of the method table whose names start with an area, for instance `packages`. */
export type MethodsOf<Area extends string> = {
  readonly [M in Extract<MethodName, `${Area}.${string}`>]: Implementation<M>;
};
/** All of it. */
export type MethodTable = { readonly [M in MethodName]: Implementation<M> };
