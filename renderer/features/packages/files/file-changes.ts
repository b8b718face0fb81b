import type { TarballFile } from '../../../../server/contract/contents.ts';

export interface ListedFile {
  path: string;
  size: number;
  /** Compared with the other version; undefined where nothing is compared or nothing differs. */
  change?: 'added' | 'deleted' | 'modified';
}

/** The files of a version. With another version to compare with: those that differ, the deleted ones included, by path. */
export function listFiles(files: readonly TarballFile[], base: readonly TarballFile[] | undefined): ListedFile[] {
  if (base === undefined) return files.map(({ path, size }) => ({ path, size }));
  const before = new Map(base.map((file) => [file.path, file]));
  const listed: ListedFile[] = [];
  for (const { path, size, sha1 } of files) {
    const was = before.get(path);
    before.delete(path);
    if (was === undefined) listed.push({ path, size, change: 'added' });
    else if (was.sha1 !== sha1) listed.push({ path, size, change: 'modified' });
  }
  for (const { path, size } of before.values()) listed.push({ path, size, change: 'deleted' });
  return listed.sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** The file to show first: what the package leads with; of a comparison one besides the manifest, whose version differs always. */
export function firstFile(files: readonly ListedFile[]): string | undefined {
  const isComparison = files.some((file) => file.change !== undefined);
  const preferred = isComparison
    ? files.find((file) => file.path !== 'package.json')
    : ['package.json', 'README.md'].flatMap((path) => files.find((file) => file.path === path) ?? [])[0];
  return (preferred ?? files[0])?.path;
}
