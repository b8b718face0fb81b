/**
 * The policy that goes with the page. Nothing is allowed but its own files; nothing can be fetched at all, so that a script that got in
 * could not reach the registry's port nor send anything out. Styles take a nonce, new at every load, because the component kit writes
 * `<style>` elements.
 */
export function contentSecurityPolicy(nonce: string): string {
  return [
    `default-src 'none'`,
    `script-src 'self'`,
    `style-src 'self' 'nonce-${nonce}'`,
    `img-src 'self' data:`,
    `font-src 'self'`,
    `connect-src 'none'`,
    `object-src 'none'`,
    `base-uri 'none'`,
    `form-action 'none'`,
    `frame-ancestors 'none'`,
  ].join('; ');
}
