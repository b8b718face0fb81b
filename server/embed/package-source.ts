import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { pack } from 'tar-stream';
import { TarballInspector } from '../registry/publish/tarball-inspector.ts';
import type { SourceSettings } from './options.ts';

/** The time that npm gives every entry, so that the same files make the same tarball. */
const entryTime = new Date('1985-10-26T08:15:00Z');

/** The document that a publish sends. */
export interface PublishDocument {
  readonly name: string;
  readonly version: string;
  readonly integrity: string;
  readonly body: string;
}

/**
 * Packs a package and makes the publish document of it, as npm does.
 * @param tag its dist-tag, if not the one of its manifest
 * @throws Error with what npm wrote, if a folder cannot be packed.
 */
export async function publishDocument(source: SourceSettings, tag?: string): Promise<PublishDocument> {
  const tarball = typeof source === 'string' ? await packFolder(source) : await packInline(source);
  const inspector = new TarballInspector();
  await inspector.write(tarball);
  const { packageJson, readme } = await inspector.result();
  const name = String(packageJson['name']);
  const version = String(packageJson['version']);
  const { publishConfig } = packageJson as { publishConfig?: { tag?: unknown } };
  const own = typeof publishConfig?.tag === 'string' ? publishConfig.tag : undefined;
  const integrity = `sha512-${createHash('sha512').update(tarball).digest('base64')}`;
  const shasum = createHash('sha1').update(tarball).digest('hex');
  const file = `${name}-${version}.tgz`;
  const manifest = {
    ...packageJson,
    ...(readme === null ? {} : { readme: readme.text, readmeFilename: readme.filename }),
    dist: { integrity, shasum, tarball: `http://127.0.0.1/${name}/-/${file}` },
  };
  const attachment = {
    content_type: 'application/octet-stream',
    data: tarball.toString('base64'),
    length: tarball.length,
  };
  const body = JSON.stringify({
    _id: name,
    name,
    'dist-tags': { [tag ?? own ?? 'latest']: version },
    versions: { [version]: manifest },
    _attachments: { [file]: attachment },
  });
  return { name, version, integrity, body };
}

function packInline({ manifest, files = {} }: Exclude<SourceSettings, string>): Promise<Buffer> {
  const archive = pack();
  for (const [name, content] of Object.entries({ ...files, 'package.json': JSON.stringify(manifest, null, 2) })) {
    archive.entry({ name: `package/${name}`, mtime: entryTime }, Buffer.from(content));
  }
  archive.finalize();
  return buffer(archive).then((bytes) => gzipSync(bytes));
}

/** Packs a folder with npm, which alone knows all its rules. It only packs: where to is not left to the settings that it finds. */
async function packFolder(folder: string): Promise<Buffer> {
  const source = path.resolve(folder);
  if (!existsSync(path.join(source, 'package.json'))) throw new Error(`There is no package.json in ${source}.`);
  const target = await mkdtemp(path.join(tmpdir(), 'gatehouse-pack-'));
  try {
    const [command, ...first] = npmCommand();
    const args = [...first, 'pack', source, '--pack-destination', target, '--dry-run=false', '--loglevel=error'];
    await promisify(execFile)(command, args, { cwd: source, maxBuffer: 64 * 1024 * 1024 }).catch((error: unknown) => {
      const { stderr, message } = error as { stderr?: string; message: string };
      throw new Error(`npm cannot pack ${source}: ${stderr?.trim() || message}`, { cause: error });
    });
    const [tarball] = await readdir(target);
    if (tarball === undefined) throw new Error(`npm packed nothing in ${source}.`);
    return await readFile(path.join(target, tarball));
  } finally {
    await rm(target, { recursive: true, force: true });
  }
}

/** npm as a program: the one that runs this process, if it does, else the one on the PATH; on Windows that is a script beside Node. */
function npmCommand(): [string, ...string[]] {
  const running = process.env['npm_execpath'] ?? '';
  if (path.basename(running) === 'npm-cli.js') return [process.execPath, running];
  if (process.platform !== 'win32') return ['npm'];
  return [process.execPath, path.join(path.dirname(process.execPath), 'node_modules/npm/bin/npm-cli.js')];
}
