import { z } from 'zod';
import { accessLevels } from '../contract/constants.ts';

const { none: _none, ...roles } = accessLevels;

const address = z.string().refine((text) => /^https?:$/.test(URL.parse(text)?.protocol ?? ''), {
  error: 'The address must start with http:// or https://.',
});

const packageSource = z.union(
  [
    z.string().min(1),
    z.strictObject({
      manifest: z.looseObject({ name: z.string(), version: z.string() }),
      files: z.record(z.string(), z.union([z.string(), z.instanceof(Uint8Array)])).optional(),
    }),
  ],
  { error: 'A package is the path of a folder, or { manifest: { name, version }, files }.' },
);

const startOptions = z.strictObject({
  dataDir: z.string().min(1).optional(),
  port: z.int().min(0).max(65_535).default(0),
  token: z
    .string()
    .regex(/^\S{20,}$/, 'A token has at least 20 characters and no white space.')
    .optional(),
  upstream: z
    .union([
      address.transform((url) => ({ url })),
      z.strictObject({ url: address, token: z.string().optional(), scopes: z.array(z.string()).optional() }),
    ])
    .optional(),
  users: z.record(z.string(), z.enum(Object.keys(roles) as (keyof typeof roles)[])).default({}),
  packages: z.array(packageSource).default([]),
});

export type StartSettings = z.output<typeof startOptions>;
export type SourceSettings = z.output<typeof packageSource>;

const publishOptions = z.strictObject({ tag: z.string().min(1).optional(), token: z.string().optional() });

/** The options of `startRegistry` with what is left out. @throws TypeError that names each wrong one. */
export function parseStartOptions(given: unknown): StartSettings {
  return parsed('startRegistry', startOptions, given);
}

/** The parameters of `publish`. @throws TypeError that names each wrong one. */
export function parsePublish(
  source: unknown,
  options: unknown,
): { source: SourceSettings; options: z.output<typeof publishOptions> } {
  return { source: parsed('publish', packageSource, source), options: parsed('publish', publishOptions, options) };
}

function parsed<T>(name: string, schema: z.ZodType<T>, given: unknown): T {
  const { data, error } = schema.safeParse(given);
  if (error) throw new TypeError(`${name}(): ${z.prettifyError(error)}`);
  return data;
}
