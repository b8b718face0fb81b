import type { ErrorCode, ErrorDetails } from '../contract/errors.ts';
import type { FoundInTarball, TarballInspection } from './tarball-inspector.ts';
import type { TarballDigests } from './tarball-port.ts';
import type { InspectionLimits } from './upload-limits.ts';

/** What is known of the bytes of an upload once they were looked at as a whole. */
export interface Examination {
  readonly digests: TarballDigests;
  readonly inspection: TarballInspection;
  /** Of `subject` and the integrity, as npm verifies it. */
  readonly signature: string;
}

/**
 * What the examiner's thread is told of one tarball, in this order; the numbers tell tarballs apart. `subject` is `name@version`, which is
 * known at the end only.
 */
export type ExaminerMessage = { readonly id: number } & (
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
  | { readonly kind: 'taken'; readonly size: number; readonly memory: ArrayBuffer | undefined }
  | {
      readonly kind: 'done';
      readonly digests: TarballDigests;
      readonly found: FoundInTarball;
      readonly signature: string;
    }
  | {
      readonly kind: 'refused';
      readonly code: ErrorCode;
      readonly message: string;
      readonly details: ErrorDetails;
    }
  | { readonly kind: 'failed'; readonly message: string }
);
