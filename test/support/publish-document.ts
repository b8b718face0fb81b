import { integrityOf, makeTarball, sha1Of } from './tarballs.ts';

export type Json = Record<string, unknown>;

/** A publish document as npm sends it; every part can be changed before it goes out. */
export interface PublishDocument extends Json {
  _id: string;
  name: string;
  'dist-tags': Record<string, string>;
  versions: Record<string, Json & { dist: Json }>;
  _attachments: Record<string, Json>;
}

export interface PublishInput {
  readonly name: string;
  readonly version: string;
  readonly tag?: string;
  /** Further fields of package.json. */
  readonly manifest?: Json;
  readonly files?: Readonly<Record<string, string | Buffer>>;
  readonly readme?: string;
  /** Bytes to send in the place of a tarball that fits. */
  readonly tarball?: Buffer;
}

/** The document of `npm publish`, with the scope in the attachment's name and in the tarball's URL. */
export async function makePublishDocument(input: PublishInput): Promise<PublishDocument> {
  const { name, version, tag = 'latest' } = input;
  const packageJson: Json = { name, version, ...input.manifest };
  const tarball = input.tarball ?? (await makeTarball(packageJson, input.files));
  const readme = input.readme ?? `# ${name}\n`;
  return {
    _id: name,
    name,
    description: typeof packageJson['description'] === 'string' ? packageJson['description'] : '',
    'dist-tags': { [tag]: version },
    versions: {
      [version]: {
        ...packageJson,
        readme,
        readmeFilename: 'README.md',
        _id: `${name}@${version}`,
        _nodeVersion: '24.21.0',
        _npmVersion: '12.2.0',
        dist: {
          integrity: integrityOf(tarball),
          shasum: sha1Of(tarball),
          tarball: `http://registry.invalid/${name}/-/${name}-${version}.tgz`,
        },
      },
    },
    access: null,
    _attachments: {
      [`${name}-${version}.tgz`]: {
        content_type: 'application/octet-stream',
        data: tarball.toString('base64'),
        length: tarball.length,
      },
    },
  };
}
