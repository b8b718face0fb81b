import { createHash } from 'node:crypto';
import { ByteCache } from '../../lib/byte-cache.ts';
import { compress } from '../../lib/compress.ts';
import { tarballFileName } from '../../registry/package-name.ts';
import type { PackumentEncoding, RenderedPackument } from '../../registry/packuments/packument-library.ts';
import { abbreviate } from '../../registry/packuments/packument-text.ts';
import type { PackumentForm } from '../../registry/packuments/packument-text.ts';
import { computedLatest } from '../../registry/package-version.ts';
import type { UpstreamContext } from '../upstream-context.ts';
import type { ForeignManifest, ForeignPackument } from './foreign-packument.ts';
import type { FoundPackument } from './packument-cache.ts';
import { isSelected } from './routing.ts';
import { dayLength } from '../../lib/calendar.ts';

/** What of a foreign packument may be shown now. */
export interface VisiblePackument {
  readonly versions: ReadonlyMap<string, ForeignManifest>;
  readonly distTags: ReadonlyMap<string, string>;
  /** Versions that are held back, with the time of their release. */
  readonly held: ReadonlyMap<string, number>;
}

/** Leaves out versions that are too young, and sets `latest` among the rest. */
export function visiblePart(found: FoundPackument, now: number): VisiblePackument {
  const { document } = found;
  const held = heldBack(found, now);
  const versions =
    held.size === 0 ? document.versions : new Map([...document.versions].filter(([version]) => !held.has(version)));
  const distTags = new Map([...document.distTags].filter(([, version]) => versions.has(version)));
  const latest = distTags.get('latest') ?? computedLatest(versions.keys());
  if (latest !== undefined) distTags.set('latest', latest);
  return { versions, distTags, held };
}

/**
 * Versions younger than the upstream's minimum age, each with the time of its release. A version without a publish time (GitLab's
 * packuments have none) can't be judged and passes.
 */
function heldBack({ document, upstream }: FoundPackument, now: number): ReadonlyMap<string, number> {
  const { name, time, versions } = document;
  const { minimumAgeDays, minimumAgeExceptions } = upstream;
  const held = new Map<string, number>();
  if (minimumAgeDays <= 0 || isSelected(name, minimumAgeExceptions)) return held;
  for (const version of versions.keys()) {
    const text = Object.hasOwn(time, version) ? time[version] : undefined;
    const releaseAt = typeof text === 'string' ? Date.parse(text) + minimumAgeDays * dayLength : Number.NaN;
    if (releaseAt > now && !minimumAgeExceptions.includes(`${name}@${version}`)) held.set(version, releaseAt);
  }
  return held;
}

/** Packuments of other registries as this registry serves them: with its own tarball addresses, at any of its prefixes. */
export class PackumentViews {
  readonly #rendered: ByteCache<RenderedPackument>;
  readonly #clock: () => number;

  constructor({ caches, clock }: Pick<UpstreamContext, 'caches' | 'clock'>) {
    this.#rendered = new ByteCache(caches);
    this.#clock = clock;
  }

  /** The entity tag of what `render` would answer. */
  etagOf(found: FoundPackument, visible: VisiblePackument, form: PackumentForm): string {
    const held = visible.held.size === 0 ? '' : `-${shortHash([...visible.held.keys()].join(' '))}`;
    return `W/"u${found.upstream.id}.${found.row.revision}${held}${form === 'full' ? '' : '-a'}"`;
  }

  /** The bytes for clients that reach the registry at `base`. */
  async render(
    found: FoundPackument,
    visible: VisiblePackument,
    how: { readonly form: PackumentForm; readonly base: string; readonly encoding: PackumentEncoding },
  ): Promise<RenderedPackument> {
    const etag = this.etagOf(found, visible, how.form);
    const key = [found.upstream.id, found.row.name, how.form, how.encoding, how.base].join(' ');
    const ready = this.#rendered.get(key);
    if (ready?.etag === etag) return ready;
    const text = (how.form === 'full' ? fullText : abbreviatedText)(found, visible, how.base);
    const rendered = {
      bytes: await compress(Buffer.from(text), how.encoding),
      etag,
      lastModified: new Date(modifiedAt(found.document) ?? this.#clock()).toUTCString(),
    };
    return this.#rendered.set(key, rendered, rendered.bytes.length)?.value ?? rendered;
  }

  /** One manifest, for clients that reach the registry at `base`. */
  manifest(manifest: ForeignManifest, base: string): Buffer {
    return Buffer.from(JSON.stringify(withOurAddress(manifest, base)));
  }
}

function fullText({ document, row }: FoundPackument, visible: VisiblePackument, base: string): string {
  const time = Object.fromEntries(Object.entries(document.time).filter(([version]) => !visible.held.has(version)));
  return JSON.stringify({
    ...document.rest,
    _id: document.name,
    _rev: `${visible.versions.size}-${row.revision}`,
    name: document.name,
    'dist-tags': Object.fromEntries(visible.distTags),
    versions: Object.fromEntries(
      [...visible.versions].map(([version, manifest]) => [version, withOurAddress(manifest, base)]),
    ),
    time,
  });
}

function abbreviatedText({ document }: FoundPackument, visible: VisiblePackument, base: string): string {
  const modified = modifiedAt(document);
  return JSON.stringify({
    name: document.name,
    modified: modified === undefined ? undefined : new Date(modified).toISOString(),
    'dist-tags': Object.fromEntries(visible.distTags),
    versions: Object.fromEntries(
      [...visible.versions].map(([version, manifest]) => {
        const shown = withOurAddress(manifest, base);
        const { deprecated } = shown as { deprecated?: unknown };
        // JSON leaves out what is undefined.
        return [version, { ...abbreviate(shown), dist: shown.dist, deprecated }];
      }),
    ),
  });
}

/**
 * A manifest with the tarball's address here. Signatures stay valid: they are over name, version and integrity. Attestations are left
 * out: their address leads past this registry.
 */
function withOurAddress(manifest: ForeignManifest, base: string): ForeignManifest {
  const { attestations: _attestations, ...dist } = manifest.dist;
  const { name, version } = manifest;
  return { ...manifest, dist: { ...dist, tarball: `${base}/${name}/-/${tarballFileName(name, version)}` } };
}

function modifiedAt(document: ForeignPackument): number | undefined {
  const text = document.time['modified'];
  const at = typeof text === 'string' ? Date.parse(text) : Number.NaN;
  return Number.isNaN(at) ? undefined : at;
}

function shortHash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 12);
}
