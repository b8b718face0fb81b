export const packageManagers = ['npm', 'pnpm', 'yarn', 'bun'] as const;
export type PackageManager = (typeof packageManagers)[number];

/** The command that adds a package to a project; `spec` is a version or a dist-tag, left out for `latest`. */
export function installCommand(manager: PackageManager, name: string, spec?: string): string {
  const verb = manager === 'npm' ? 'install' : 'add';
  return `${manager} ${verb} ${name}${spec === undefined ? '' : `@${spec}`}`;
}
