import type { ErrorCode, ErrorDetails } from '../../contract/errors.ts';
import type { FoundInTarball, TarballInspection } from './tarball-inspector.ts';
import type { TarballDigests } from './tarball-port.ts';
import type { PreparedVersion, PublisherFacts } from './prepare-version.ts';
import type { InspectionLimits, UploadLimits } from './upload-limits.ts';

/** What is known of the bytes of an upload once they were looked at as a whole. */
export interface Examination {
  readonly digests: TarballDigests;
  readonly inspection: TarballInspection;
  /** Of `subject` and the integrity, as npm verifies it. */
  readonly signature: string;
}

/** A publish document that came as a whole, and what making a version of it takes. */
export interface UploadQuestion {
  readonly body: Uint8Array;
  readonly limits: UploadLimits;
  readonly nameInUrl: string;
  readonly publisher: Pick<PublisherFacts, 'userId' | 'person'>;
}

/** Which version a document is about. */
export interface PublishSubject {
  readonly name: string;
  readonly version: string;
}

/** What a refusal consists of, to be made an error again where it is heard. */
interface Refusal {
  readonly kind: 'refused';
  readonly code: ErrorCode;
  readonly message: string;
  readonly details: ErrorDetails;
}

export type UploadOutcome =
  | { readonly kind: 'prepared'; readonly prepared: PreparedVersion; readonly bytes: Uint8Array }
  /** `subject` is known if the document itself was in order. */
  | (Refusal & { readonly subject: PublishSubject | undefined })
  /** It is no publish, or takes more memory: to be read in the usual way. */
  | { readonly kind: 'elsewhere' };

/**
 * What the examiner's thread is told: a whole document, or of one tarball, in this order; the numbers tell tarballs apart. `subject` is `name@version`, which is
 * known at the end only.
 */
export type ExaminerMessage = { readonly id: number } & (
  | { readonly kind: 'upload'; readonly question: UploadQuestion }
  | { readonly kind: 'begin'; readonly limits: InspectionLimits }
  /** A small tarball as a whole. */
  | { readonly kind: 'whole'; readonly bytes: Uint8Array }
  /** The next part of a large one. */
  | { readonly kind: 'piece'; readonly bytes: Uint8Array }
  | { readonly kind: 'end'; readonly subject: string }
  | { readonly kind: 'cancel' }
);

/** What it answers: that it took each piece, with its memory if nothing uses that any more, and one outcome after the end. */
export type ExaminerAnswer = { readonly id: number } & (
  | { readonly kind: 'outcome'; readonly outcome: UploadOutcome }
  | { readonly kind: 'taken'; readonly size: number; readonly memory: ArrayBuffer | undefined }
  | {
      readonly kind: 'done';
      readonly digests: TarballDigests;
      readonly found: FoundInTarball;
      readonly signature: string;
    }
  | Refusal
  | { readonly kind: 'failed'; readonly message: string }
);
