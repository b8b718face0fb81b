import { createHash } from 'node:crypto';
import { ByteCache } from '../../lib/byte-cache.ts';
import { compress } from '../../lib/compress.ts';
import { SingleFlight } from '../../lib/single-flight.ts';
import { Slots } from '../../lib/slots.ts';
import { nextTurn } from '../../lib/turns.ts';
import { tarballFileName } from '../../registry/package-name.ts';
import type { PackumentEncoding, RenderedPackument } from '../../registry/packuments/packument-library.ts';
import { abbreviate } from '../../registry/packuments/packument-text.ts';
import type { PackumentForm } from '../../registry/packuments/packument-text.ts';
import { computedLatest } from '../../registry/package-version.ts';
import type { UpstreamContext } from '../upstream-context.ts';
import type { ForeignManifest, ForeignPackument, JsonObject } from './foreign-packument.ts';
import type { FoundPackument } from './packument-cache.ts';
import { isSelected } from './routing.ts';
import { dayLength } from '../../lib/calendar.ts';

/** Characters of manifests that are written between two turns of the event loop. */
const charactersPerTurn = 1024 * 1024;

/** The last moment that a date can be. */
const latestTime = 8_640_000_000_000_000;

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
    const publishedAt = typeof text === 'string' ? Date.parse(text) : Number.NaN;
    const releaseAt = Math.min(publishedAt + minimumAgeDays * dayLength, latestTime);
    if (releaseAt > now && !minimumAgeExceptions.includes(`${name}@${version}`)) held.set(version, releaseAt);
  }
  return held;
}

/** Packuments of other registries as this registry serves them: with its own tarball addresses, at any of its prefixes. */
export class PackumentViews {
  readonly #rendered: ByteCache<RenderedPackument>;
  readonly #flights = new SingleFlight<RenderedPackument>();
  /** Packuments that are rendered at a time: each takes several times its bytes. */
  readonly #slots = new Slots(2);
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
    const make = async (): Promise<RenderedPackument> => {
      const rendered = {
        bytes: await compress(await packumentBytes(found, visible, how), how.encoding),
        etag,
        lastModified: new Date(modifiedAt(found.document) ?? this.#clock()).toUTCString(),
      };
      return this.#rendered.set(key, rendered, rendered.bytes.length)?.value ?? rendered;
    };
    return this.#flights.run(`${etag} ${key}`, () => this.#slots.run(make));
  }

  /** One manifest, for clients that reach the registry at `base`. */
  manifest(manifest: ForeignManifest, base: string): Buffer {
    return Buffer.from(JSON.stringify(withOurAddress(manifest, base)));
  }
}

/** The bytes of a packument, made over several turns of the event loop. */
async function packumentBytes(
  found: FoundPackument,
  visible: VisiblePackument,
  { form, base }: { readonly form: PackumentForm; readonly base: string },
): Promise<Buffer> {
  const frame = JSON.stringify((form === 'full' ? fullFrame : abbreviatedFrame)(found, visible));
  const parts = [Buffer.from(`${frame.slice(0, -1)},"versions":{`)];
  let ofTurn = 0;
  for (const [version, manifest] of visible.versions) {
    const shown = withOurAddress(manifest, base);
    const { deprecated } = shown as { deprecated?: unknown };
    // JSON leaves out what is undefined.
    const text = JSON.stringify(form === 'full' ? shown : { ...abbreviate(shown), dist: shown.dist, deprecated });
    parts.push(Buffer.from(`${parts.length > 1 ? ',' : ''}${JSON.stringify(version)}:${text}`));
    ofTurn += text.length;
    if (ofTurn < charactersPerTurn) continue;
    ofTurn = 0;
    await nextTurn();
  }
  parts.push(Buffer.from('}}'));
  return Buffer.concat(parts);
}

function fullFrame({ document, row }: FoundPackument, visible: VisiblePackument): JsonObject {
  return {
    ...document.rest,
    _id: document.name,
    _rev: `${visible.versions.size}-${row.revision}`,
    name: document.name,
    'dist-tags': Object.fromEntries(visible.distTags),
    time: Object.fromEntries(Object.entries(document.time).filter(([version]) => !visible.held.has(version))),
  };
}

function abbreviatedFrame({ document }: FoundPackument, visible: VisiblePackument): JsonObject {
  const modified = modifiedAt(document);
  return {
    name: document.name,
    modified: modified === undefined ? undefined : new Date(modified).toISOString(),
    'dist-tags': Object.fromEntries(visible.distTags),
  };
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
