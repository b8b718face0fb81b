import type { ErrorCode, ErrorDetails } from '../contract/errors.ts';
import type { TarballInspection } from './tarball-inspector.ts';
import type { TarballDigests } from './tarball-port.ts';
import type { InspectionLimits } from './upload-limits.ts';

/** What is known of the bytes of an upload once they were looked at as a whole. */
export interface Examination {
  readonly digests: TarballDigests;
  readonly inspection: TarballInspection;
  /** Of `subject` and the integrity, as npm verifies it. */
  readonly signature: string;
}

/** A small tarball for the examiner's thread. */
export interface ExaminerTask {
  readonly id: number;
  readonly bytes: Uint8Array;
  readonly limits: InspectionLimits;
  /** `name@version`. */
  readonly subject: string;
}

/** What comes back from there. */
export type ExaminerAnswer = { readonly id: number } & (
  | { readonly examination: Examination }
  | { readonly refused: { readonly code: ErrorCode; readonly message: string; readonly details: ErrorDetails } }
  | { readonly failed: string }
);
