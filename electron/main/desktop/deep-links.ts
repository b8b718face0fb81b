import { appPage } from '../windows/trusted-sender.ts';

/** The scheme of links from other programs: `gatehouse://package/NAME` and `gatehouse://inbox`. */
export const linkScheme = 'gatehouse';

/** npm's own limit of a package's name. */
const longestName = 214;
const packageName = /^(@[^/\s@%]+\/)?[^/\s@%]+$/;

/** The address of what waits for approval in the page. */
export const inboxAddress = `${appPage}#/inbox`;

/** The address of the screen that a link names; null for anything else. A link comes from outside, so it can only show something. */
export function linkedAddress(link: string): string | null {
  const url = URL.parse(link);
  if (url?.protocol !== `${linkScheme}:`) return null;
  if (url.host === 'inbox' && ['', '/'].includes(url.pathname)) return inboxAddress;
  if (url.host !== 'package') return null;
  let name: string;
  try {
    name = decodeURIComponent(url.pathname.slice(1));
  } catch {
    return null;
  }
  return name.length <= longestName && packageName.test(name) ? packageAddress(name) : null;
}

/** The address of the list of packages in the page. */
export const packagesAddress = `${appPage}#/packages`;

/** The address that a command line names with a link; null if it has none. */
export function addressInArguments(argv: readonly string[]): string | null {
  for (const argument of argv) {
    const address = linkedAddress(argument);
    if (address !== null) return address;
  }
  return null;
}

/** The address of a package's screen in the page. */
export function packageAddress(name: string): string {
  return `${appPage}#/package-by-name/${encodeURIComponent(name)}`;
}
