/** The path of something new as its name is typed: it follows the name until another path is typed. */
export function pathFollowing(path: string, name: string, next: string): string {
  return path === pathFromName(name) ? pathFromName(next) : path;
}

/** The path that fits a name: `Release crew` becomes `release-crew`. */
export function pathFromName(name: string): string {
  return name
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .toLowerCase()
    .replace(/[^a-z0-9_.]+/g, '-')
    .replace(/^[-.]+|[-.]+$/g, '');
}
