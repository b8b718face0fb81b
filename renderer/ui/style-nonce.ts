declare global {
  // The name that style libraries agreed upon for this.
  var __webpack_nonce__: string | undefined;
}

/** What a `<style>` element has to carry for the page's policy to let it in; the shell writes a new one into every load. */
export const styleNonce = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce;

// The part of the kit that keeps the page from scrolling under a dialog reads it from here.
globalThis.__webpack_nonce__ = styleNonce;
