import { Fragment } from 'react';

/** A hyphen is a place to break as well, unless what is around it is a box of its own. A long name would leave a line half empty before it. */
const whole = { display: 'inline-block', maxWidth: '100%' };

/** A path or address that breaks after its slashes where it does not fit, and not within a name. */
export function PathText({ path }: { path: string }) {
  return path.split(/(?<=[/\\])/).map((part, index) => (
    // Parts may be equal, so that the index is part of the key.
    <Fragment key={`${index} ${part}`}>
      {/-/.test(part) && !/\s/.test(part) && part.length <= 40 ? <span style={whole}>{part}</span> : part}
      <wbr />
    </Fragment>
  ));
}
