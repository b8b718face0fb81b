import type { Readable } from 'node:stream';
import type { VersionRow } from '../../registry/package-store.ts';

export interface PublishBodyInput {
  readonly name: string;
  readonly row: VersionRow;
  readonly tags: readonly string[];
  readonly readme: string | null;
  /** Base address of the registry that it goes to. */
  readonly base: string;
  readonly openTarball: () => Readable;
}

/**
 * A publish document as npm sends it, in constant memory: the tarball goes from the disk through base64 into the socket. Its bytes and its
 * manifest are those that were published here, so the integrity stays what it was.
 */
export function publishBody(input: PublishBodyInput): { length: number; open: () => AsyncIterable<Buffer> } {
  const { name, row, tags, readme, base } = input;
  const manifest = JSON.parse(row.manifest) as Record<string, unknown>;
  const { publishConfig } = manifest as { publishConfig?: { access?: unknown } };
  const file = `${name}-${row.version}.tgz`;
  const mark = '@@data@@';
  const text = JSON.stringify({
    _id: name,
    name,
    description: typeof manifest['description'] === 'string' ? manifest['description'] : '',
    'dist-tags': Object.fromEntries(tags.map((tag) => [tag, row.version])),
    versions: {
      [row.version]: {
        ...manifest,
        ...(readme === null ? {} : { readme }),
        dist: { integrity: row.integrity, shasum: row.shasum, tarball: `${base}/${name}/-/${file}` },
      },
    },
    access: typeof publishConfig?.access === 'string' ? publishConfig.access : null,
    _attachments: { [file]: { content_type: 'application/octet-stream', data: mark, length: row.size } },
  });
  // The attachment comes last, so the last mark is ours whatever a readme holds.
  const at = text.lastIndexOf(mark);
  const head = Buffer.from(text.slice(0, at));
  const tail = Buffer.from(text.slice(at + mark.length));
  return {
    length: head.length + 4 * Math.ceil(row.size / 3) + tail.length,
    async *open() {
      yield head;
      yield* base64Of(input.openTarball() as AsyncIterable<Buffer>);
      yield tail;
    },
  };
}

async function* base64Of(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let rest: Buffer = Buffer.alloc(0);
  for await (const chunk of source) {
    const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    const whole = bytes.length - (bytes.length % 3);
    if (whole > 0) yield Buffer.from(bytes.toString('base64', 0, whole));
    rest = bytes.subarray(whole);
  }
  if (rest.length > 0) yield Buffer.from(rest.toString('base64'));
}
