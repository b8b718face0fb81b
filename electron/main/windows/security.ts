import { app, type Session, type WebContents } from 'electron';
import { isAppUrl } from './trusted-sender.ts';

const localSchemes: ReadonlySet<string> = new Set(['app:', 'devtools:', 'data:', 'blob:', 'chrome-extension:']);

/** Denies every page navigation, redirects, new windows and webviews. */
export function guardPages(): void {
  app.on('web-contents-created', (_event, contents) => guardPage(contents));
}

function guardPage(contents: WebContents): void {
  contents.on('will-navigate', (event) => {
    // A reload of the app's own page is allowed.
    if (!isAppUrl(event.url)) event.preventDefault();
  });
  contents.on('will-frame-navigate', (event) => {
    if (!event.isMainFrame || !isAppUrl(event.url)) event.preventDefault();
  });
  contents.on('will-redirect', (event) => event.preventDefault());
  contents.on('will-attach-webview', (event) => event.preventDefault());
  contents.setWindowOpenHandler(() => ({ action: 'deny' }));
}

/** Denies every permission and device, and any request that would leave the app. */
export function guardSession(session: Session): void {
  session.setPermissionRequestHandler((_contents, _permission, answer) => answer(false));
  session.setPermissionCheckHandler(() => false);
  session.setDevicePermissionHandler(() => false);
  session.setSpellCheckerEnabled(false);
  session.webRequest.onBeforeRequest((details, answer) => {
    answer({ cancel: !localSchemes.has(URL.parse(details.url)?.protocol ?? '') });
  });
}
