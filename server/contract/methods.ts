import type { z } from 'zod';
import { connectCommandMethods, connectMethods } from './connect.ts';
import { contentMethods, tarballMethods } from './contents.ts';
import { directoryMethods } from './directory.ts';
import { environmentMethods, ruleFileMethods } from './environments.ts';
import { guardMethods } from './guards.ts';
import { maintenanceMethods } from './maintenance.ts';
import { advisoryMethods, loginMethods, publishAgeMethods } from './npm.ts';
import { packageMethods } from './packages.ts';
import { releaseMethods } from './releases.ts';
import { overviewMethods, reachMethods, serverMethods } from './server.ts';
import { bundleMethods } from './bundles.ts';
import { outboxMethods } from './outbox.ts';
import { offlineMethods, upstreamMethods } from './upstream.ts';

/** Who calls: the page in a window, the desktop app itself (tray), or a command beside the server. */
export type Caller = 'window' | 'app' | 'cli';

/** Every method of the control link: the schema of its parameters, the shape of its result, who may call it. */
export const methods = {
  ...callableBy(['window'], {
    ...overviewMethods,
    ...packageMethods,
    ...contentMethods,
    ...loginMethods,
    ...releaseMethods,
  }),
  ...callableBy(['app'], { ...tarballMethods, ...reachMethods }),
  ...callableBy(['window', 'cli'], {
    ...connectMethods,
    ...environmentMethods,
    ...guardMethods,
    ...publishAgeMethods,
    ...directoryMethods,
    ...maintenanceMethods,
    ...upstreamMethods,
    ...outboxMethods,
    ...bundleMethods,
  }),
  ...callableBy(['cli'], { ...ruleFileMethods, ...advisoryMethods, ...connectCommandMethods }),
  ...callableBy(['window', 'app', 'cli'], { ...serverMethods, ...offlineMethods }),
} as const;

export type MethodName = keyof typeof methods;
/** What a caller passes: defaults may be left out. */
export type MethodParams<M extends MethodName> = z.input<(typeof methods)[M]['input']>;
/** What the implementation receives: defaults filled in. */
export type MethodInput<M extends MethodName> = z.output<(typeof methods)[M]['input']>;
export type MethodResult<M extends MethodName> = z.output<(typeof methods)[M]['output']>;

type Area = Readonly<Record<string, { readonly input: z.ZodType; readonly output: z.ZodType }>>;

function callableBy<A extends Area>(
  callers: readonly Caller[],
  area: A,
): { readonly [M in keyof A]: A[M] & { readonly callers: readonly Caller[] } } {
  const entries = Object.entries(area).map(([name, method]) => [name, { ...method, callers }]);
  return Object.fromEntries(entries) as { [M in keyof A]: A[M] & { callers: readonly Caller[] } };
}
