/** What a tarball may unpack to. */
export interface InspectionLimits {
  /** Bytes that the archive may unpack to. */
  readonly unpackedSize: number;
  readonly entries: number;
}

/** More than any honest package unpacks to. */
export const defaultInspectionLimits: InspectionLimits = { unpackedSize: 4 * 1024 ** 3, entries: 200_000 };

/** What a document may hold without attachment data. */
export interface DocumentLimits {
  /** Bytes of all of it. */
  readonly size: number;
  /** Bytes of what is parsed in one go: the manifest of one version, or everything around those. */
  readonly part: number;
  /** Values in that, of which each key counts as several; the time that parsing takes grows with them rather than with the bytes. */
  readonly values: number;
  readonly depth: number;
}

/** How large a publish document and its parts may be. */
export interface UploadLimits {
  /** How many attachments a document may hold: the tarball and its provenance bundle. */
  readonly attachments: number;
  /** Bytes of one decoded tarball. */
  readonly tarball: number;
  /** A deprecation sends the whole packument, so its size is generous. */
  readonly document: DocumentLimits;
  /** Bytes of an attachment that is not a tarball (a provenance bundle). */
  readonly bundle: number;
  readonly inspection: InspectionLimits;
}

/** The limits unless options say otherwise. */
export const defaultUploadLimits: UploadLimits = {
  attachments: 2,
  tarball: 500 * 1024 * 1024,
  document: { size: 64 * 1024 * 1024, part: 4 * 1024 * 1024, values: 150_000, depth: 100 },
  // Those of npm and GitLab have some tens of kilobytes; it is parsed in one go.
  bundle: 512 * 1024,
  inspection: defaultInspectionLimits,
};

/** Bytes of a README that are kept; more freezes what renders it. */
export const maximumReadmeBytes = 1024 * 1024;

/** A document of callers who may send no tarball and change no version: stars and the like. */
export const smallDocumentLimits: DocumentLimits = {
  ...defaultUploadLimits.document,
  size: 256 * 1024,
  part: 256 * 1024,
};

/** Most bytes that an upload within these limits can have, with its attachments in base64. */
export function largestUpload({ attachments, tarball, bundle, document }: UploadLimits): number {
  // Base64 takes four bytes for three, and may be written with escapes for its slashes.
  return document.size + (attachments > 0 ? Math.ceil(tarball / 3) * 8 : 0) + (attachments > 1 ? bundle * 6 : 0);
}
