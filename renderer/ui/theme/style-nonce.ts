declare global {
  var __webpack_nonce__: string | undefined;
}

/** The nonce that the page's policy wants from `<style>` elements; the main process writes a new one into every load. */
export const styleNonce = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce;

// Mantine's scroll lock reads it from here.
globalThis.__webpack_nonce__ = styleNonce;
