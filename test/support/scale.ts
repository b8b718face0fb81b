/** Whether the long form of a suite is wanted (`npm run test:faults`, `npm run test:fuzz`). */
export const isFullScale = process.env['MODE'] === 'full';

/** One of two sizes of a test, or what the environment variable of this name says. */
export function scaled(name: string, sizes: { readonly short: number; readonly full: number }): number {
  const given = Number(process.env[name]);
  if (Number.isFinite(given) && given > 0) return given;
  return isFullScale ? sizes.full : sizes.short;
}
