/** What may be wrong with the address of a feed, as a sentence that says what to do. */
export class FeedAddressError extends Error {}

/**
 * The folder that a person means by `text`, with a slash at its end. Plain http is for this machine alone: whoever sits on the line could
 * otherwise offer any program. Throws FeedAddressError.
 */
export function feedAddress(text: string): URL {
  const url = URL.parse(text.trim());
  if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:')) {
    throw new FeedAddressError('The address of the feed must begin with https://.');
  }
  if (url.username !== '' || url.password !== '') {
    throw new FeedAddressError('The address of the feed must not hold a user name or a password.');
  }
  if (!isSafe(url)) {
    throw new FeedAddressError(
      'The address of the feed must begin with https://; plain http is for this machine alone.',
    );
  }
  if (url.search !== '' || url.hash !== '') {
    throw new FeedAddressError('The address of the feed must be that of a folder, without ? and #.');
  }
  // People paste the address of the file as well as that of its folder.
  url.pathname = url.pathname.replace(/[^/]*\.ya?ml$/, '').replace(/\/*$/, '/');
  return url;
}

/** Whether nobody between here and there can change what comes from this address. */
export function isSafe({ protocol, hostname }: URL): boolean {
  return protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname));
}

function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(hostname);
}
