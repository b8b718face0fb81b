import { posix } from 'node:path';
import type { Manifest } from './upload-document.ts';

/**
 * What a publish document says otherwise than the package.json of its tarball, by field: of all that decides what is installed or run.
 * Clients make such documents where a script changes package.json only while it is packed, so they are noted and not refused. What
 * clients rewrite themselves counts as equal: npm 8 repeats optional dependencies among the others and yarn 1 leaves them out there,
 * and addresses of git repositories are written in full.
 */
export function manifestDifferences(document: Manifest, packageJson: Manifest): string[] {
  return Object.entries(readings)
    .filter(([, read]) => {
      const [stated, packed] = [read(document, packageJson), read(packageJson, packageJson)];
      return JSON.stringify([...stated].sort()) !== JSON.stringify([...packed].sort());
    })
    .map(([field]) => field);
}

/** Each field as comparable texts. @param packed the tarball's package.json, where a field cannot be read without it */
const readings: Readonly<Record<string, (manifest: Manifest, packed: Manifest) => readonly string[]>> = {
  dependencies: (manifest) =>
    entriesOf({ ...textsOf(manifest['dependencies']), ...textsOf(manifest['optionalDependencies']) }),
  optionalDependencies: (manifest) => entriesOf(textsOf(manifest['optionalDependencies'])),
  peerDependencies: (manifest) => entriesOf(textsOf(manifest['peerDependencies'])),
  bundleDependencies: (manifest) => {
    const bundled = manifest['bundleDependencies'] ?? manifest['bundledDependencies'];
    if (bundled === true) return Object.keys(textsOf(manifest['dependencies']));
    return Array.isArray(bundled) ? bundled.map(String) : [];
  },
  bin: (manifest, packed) => {
    // npm lists the files of the folder that is named here.
    if (typeof packed['directories'] === 'object' && Object.hasOwn(packed['directories'] ?? {}, 'bin')) return [];
    const { bin, name } = manifest;
    const commands = typeof bin === 'string' && typeof name === 'string' ? { [name]: bin } : textsOf(bin);
    return Object.entries(commands).map(([command, file]) => `${posix.basename(command)} ${posix.join('/', file)}`);
  },
  scripts: (manifest) => {
    const scripts = textsOf(manifest['scripts']);
    return ['preinstall', 'install', 'postinstall'].flatMap((hook) => {
      const script = Object.hasOwn(scripts, hook) ? scripts[hook] : undefined;
      // npm adds this where it finds binding.gyp.
      return script === undefined || (hook === 'install' && script === 'node-gyp rebuild') ? [] : [`${hook} ${script}`];
    });
  },
};

function entriesOf(dependencies: Readonly<Record<string, string>>): string[] {
  return Object.entries(dependencies).map(([name, spec]) => {
    const isRepository =
      /[/:]/.test(spec) && !/^(?:npm|file|link|workspace|catalog|portal|patch|jsr|https?):/.test(spec);
    return `${name} ${isRepository ? 'git' : spec.trim()}`;
  });
}

function textsOf(value: unknown): Readonly<Record<string, string>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return {};
  return Object.fromEntries(
    Object.entries(value).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
}
