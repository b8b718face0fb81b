import { Fragment } from 'react';

/** A path or address that breaks after its slashes where it does not fit, and not within a name. */
export function PathText({ path }: { path: string }) {
  return path.split(/(?<=[/\\])/).map((part, index) => (
    // Parts may be equal, so that the index is part of the key.
    <Fragment key={`${index} ${part}`}>
      {part}
      <wbr />
    </Fragment>
  ));
}
