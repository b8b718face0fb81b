/** A dot on what has edits that are not saved. */
export function UnsavedMark() {
  return <span className="gh-unsaved" role="img" aria-label="Unsaved changes" data-tip="Unsaved changes" />;
}
