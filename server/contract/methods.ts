import type { z } from 'zod';
import { connectMethods } from './connect.ts';
import { contentMethods } from './contents.ts';
import { directoryMethods } from './directory.ts';
import { environmentMethods } from './environments.ts';
import { maintenanceMethods } from './maintenance.ts';
import { loginMethods } from './login.ts';
import { overviewMethods } from './overview.ts';
import { packageMethods } from './packages.ts';
import { publishAgeMethods, stageMethods } from './stages.ts';
import { serverMethods } from './server.ts';
import { bundleMethods, offlineMethods, outboxMethods, upstreamMethods } from './upstream.ts';

/** Every call that may cross the control link, with the schema of what goes in and of what comes out. */
export const methods = {
  ...serverMethods,
  ...overviewMethods,
  ...connectMethods,
  ...packageMethods,
  ...contentMethods,
  ...environmentMethods,
  ...maintenanceMethods,
  ...directoryMethods,
  ...loginMethods,
  ...stageMethods,
  ...publishAgeMethods,
  ...upstreamMethods,
  ...offlineMethods,
  ...outboxMethods,
  ...bundleMethods,
} as const;

export type MethodName = keyof typeof methods;
/** What a caller passes: defaults may be left out. */
export type MethodParams<M extends MethodName> = z.input<(typeof methods)[M]['input']>;
/** What the implementation receives: defaults filled in. */
export type MethodInput<M extends MethodName> = z.output<(typeof methods)[M]['input']>;
export type MethodResult<M extends MethodName> = z.output<(typeof methods)[M]['output']>;

/** Whether `name` is a method of this table (for names that crossed a process boundary). */
export function isMethodName(name: unknown): name is MethodName {
  return typeof name === 'string' && Object.hasOwn(methods, name);
}
