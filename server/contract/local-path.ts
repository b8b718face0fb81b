import { z } from 'zod';

/** What a path is for; the dialogs of the desktop app are named alike (bridge.ts). A file that is read may not be replaced. */
export type PathUse = 'folder' | 'file' | 'new-file';

/**
 * A path of this machine in the parameters of a method. The desktop app passes on what its page sends only if the person chose that path in
 * a dialog, for that use (`pathUsesOf`).
 */
export function localPath(use: PathUse): z.ZodString {
  return z.string().min(1).max(4096).meta({ pathUse: use });
}

/** The parameters among those of `input` that are paths, by name. They stand at the top level. */
export function pathUsesOf(input: z.ZodType): ReadonlyMap<string, PathUse> {
  const fields = input instanceof z.ZodObject ? Object.entries<z.ZodType>(input.shape) : [];
  return new Map(
    fields.flatMap(([name, field]) => {
      const { pathUse } = (field instanceof z.ZodOptional ? (field.unwrap() as z.ZodType) : field).meta() ?? {};
      return pathUse === undefined ? [] : [[name, pathUse as PathUse] as const];
    }),
  );
}
