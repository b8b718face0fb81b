import { appPage } from '../windows/trusted-sender.ts';

/** The scheme of links from other programs: `gatehouse://package/NAME`. */
export const linkScheme = 'gatehouse';

/** npm's own limit of a package's name. */
const longestName = 214;
const packageName = /^(@[^/\s@%]+\/)?[^/\s@%]+$/;

/** The package that a link names; null for anything else. A link comes from outside, so it can only show a package. */
export function linkedPackage(link: string): string | null {
  const url = URL.parse(link);
  if (url?.protocol !== `${linkScheme}:` || url.host !== 'package') return null;
  let name: string;
  try {
    name = decodeURIComponent(url.pathname.slice(1));
  } catch {
    return null;
  }
  return name.length <= longestName && packageName.test(name) ? name : null;
}

/** The package that a command line names with a link; null if it has none. */
export function packageInArguments(argv: readonly string[]): string | null {
  for (const argument of argv) {
    const name = linkedPackage(argument);
    if (name !== null) return name;
  }
  return null;
}

/** The address of a package's screen in the page. */
export function packageAddress(name: string): string {
  return `${appPage}#/package-by-name/${encodeURIComponent(name)}`;
}
