/** A newer version of the app. */
export interface UpdateOffer {
  readonly version: string;
  /** ISO 8601; null if the release does not say. */
  readonly releasedAt: string | null;
  /** Plain text or Markdown; null if the release has none. */
  readonly notes: string | null;
}

export type UpdateState =
  /** This copy has no publish configuration, or its kind of package cannot be replaced by the app. */
  | { readonly phase: 'unsupported' }
  /** Not checked since the app started. */
  | { readonly phase: 'idle' }
  | { readonly phase: 'checking' }
  /** Nothing newer; `checkedAt` in milliseconds since 1970. */
  | { readonly phase: 'newest'; readonly checkedAt: number }
  | { readonly phase: 'available'; readonly offer: UpdateOffer }
  /** In bytes; `total` is 0 until it is known. */
  | {
      readonly phase: 'downloading';
      readonly offer: UpdateOffer;
      readonly received: number;
      readonly total: number;
    }
  /** Downloaded and verified; installed when the app quits. */
  | { readonly phase: 'ready'; readonly offer: UpdateOffer }
  /** `offer` if it was its download that failed. `cause` is a sentence for the person. */
  | { readonly phase: 'failed'; readonly offer: UpdateOffer | null; readonly cause: string };
