/** What a tarball may unpack to. */
export interface InspectionLimits {
  /** Bytes that the archive may unpack to. */
  readonly unpackedSize: number;
  readonly entries: number;
}

/** More than any honest package unpacks to. */
export const defaultInspectionLimits: InspectionLimits = { unpackedSize: 4 * 1024 ** 3, entries: 200_000 };

/** How large a publish document and its parts may be. */
export interface UploadLimits {
  /** How many attachments a document may hold: the tarball and its provenance bundle. */
  readonly attachments: number;
  /** Bytes of one decoded tarball. */
  readonly tarball: number;
  /** Bytes of the document without attachment data. A deprecation sends the whole packument, so this is generous. */
  readonly document: number;
  /** Bytes of an attachment that is not a tarball (a provenance bundle). */
  readonly bundle: number;
  readonly inspection: InspectionLimits;
}

/** The limits unless options say otherwise. */
export const defaultUploadLimits: UploadLimits = {
  attachments: 2,
  tarball: 500 * 1024 * 1024,
  document: 64 * 1024 * 1024,
  bundle: 8 * 1024 * 1024,
  inspection: defaultInspectionLimits,
};

/** Bytes of a README that are kept; more freezes what renders it. */
export const maximumReadmeBytes = 1024 * 1024;
