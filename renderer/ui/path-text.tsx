import { Fragment } from 'react';

/** A path or address that breaks after its slashes where it does not fit, and not within a name. */
export function PathText({ path }: { path: string }) {
  return path.split(/(?<=[/\\])/).map((part, index) => (
    // Parts stand in their order for good: the place is what tells them apart.
    <Fragment key={`${index} ${part}`}>
      {part}
      <wbr />
    </Fragment>
  ));
}
