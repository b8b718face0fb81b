import { Tooltip } from '@mantine/core';

/** A dot on what has edits that are not saved. */
export function UnsavedMark() {
  return (
    <Tooltip label="Unsaved changes">
      <span className="gh-unsaved" role="img" aria-label="Unsaved changes" />
    </Tooltip>
  );
}
