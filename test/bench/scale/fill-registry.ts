import { randomBytes } from 'node:crypto';
import type { OpenRegistry } from '../../../server/compose.ts';
import { abbreviate } from '../../../server/registry/packuments/packument-template.ts';
import { sampleManifest, seededNumbers, TarballMaker } from '../samples/sample-package.ts';

export interface Filling {
  readonly projectId: number;
  readonly packages: number;
  readonly versions: number;
  /** Packages are called `<namePrefix>-<n>`. */
  readonly namePrefix: string;
  /** Characters that each manifest has more than usual. */
  readonly padding: number;
}

/** Versions that share one commit: enough to be fast, few enough for a short write-ahead log. */
const versionsPerCommit = 4000;

/**
 * Fills a registry through its own stores, hundred times faster than by publishing. All versions share one tarball, which
 * nobody asks for; integrity, shasum and signature are noise of their length, so that packuments compress as real ones do.
 */
export async function fillRegistry(registry: OpenRegistry, filling: Filling): Promise<void> {
  const { store, tarballs, keys } = registry.packages;
  const writer = tarballs.create();
  await writer.write(new TarballMaker(20 * 1024).make(sampleManifest('scale', '1.0.0')));
  const digests = writer.digests();
  await writer.keep();
  const shared = {
    publisherId: 1,
    tarballSha512: digests.sha512,
    size: digests.size,
    fileCount: 2,
    unpackedSize: digests.size * 2,
    signatureKeyId: keys[0]?.keyid ?? '',
    bundle: null,
  };
  await registry.unitOfWork.write((change) => store.insertTarball(digests, change.now));
  const random = seededNumbers(11);
  let done = 0;
  while (done < filling.packages) {
    const from = done;
    const until = Math.min(filling.packages, from + Math.max(1, Math.floor(versionsPerCommit / filling.versions)));
    await registry.unitOfWork.write((change) => {
      for (let index = from; index < until; index += 1) {
        const name = `${filling.namePrefix}-${index}`;
        const row = store.insertPackage(filling.projectId, name, change.now);
        const words = Array.from({ length: 5 }, () => searchWords[Math.floor(random() * searchWords.length)] ?? '');
        let versionId = 0;
        for (let number = 0; number < filling.versions; number += 1) {
          const version = `1.${Math.floor(number / 10)}.${number % 10}`;
          const manifest = {
            ...sampleManifest(name, version, undefined, filling.padding),
            description: `A registry sample that speaks of ${words.join(' ')}`,
            _id: `${name}@${version}`,
          };
          versionId = store.insertVersion(row.id, {
            ...shared,
            ...noise(),
            version,
            publishedAt: change.now,
            manifest: JSON.stringify(manifest),
            abbreviated: JSON.stringify(abbreviate(manifest)),
            // As with real packages, the newest version's is the one that is looked at.
            readme: number === filling.versions - 1 ? { filename: 'README.md', text: `# ${name}\n` } : null,
          });
        }
        store.putTag(row.id, 'latest', versionId, change.now);
        store.addMaintainer(row.id, 1);
        store.touchPackage(row.id, change.now);
      }
    });
    done = until;
  }
}

function noise(): { integrity: string; shasum: string; signature: string } {
  const bytes = randomBytes(156);
  return {
    integrity: `sha512-${bytes.toString('base64', 0, 64)}`,
    shasum: bytes.toString('hex', 64, 84),
    signature: bytes.toString('base64', 84, 156),
  };
}

/** Words of the descriptions: each stands in about one package of a hundred. */
export const searchWords: readonly string[] = Array.from(
  { length: 500 },
  (_, index) =>
    ['stream', 'parser', 'queue', 'matrix', 'socket', 'cipher', 'lexer', 'router', 'vector', 'logger'][index % 10] +
    String(Math.floor(index / 10)),
);
