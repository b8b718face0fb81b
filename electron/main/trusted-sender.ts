/** The origin of the app's own page. */
export const appScheme = 'app';
export const appHost = 'gatehouse';
export const appPage = `${appScheme}://${appHost}/`;

/** Whether `url` is a document of the app itself. */
export function isAppUrl(url: string): boolean {
  const parsed = URL.parse(url);
  return parsed?.protocol === `${appScheme}:` && parsed.host === appHost;
}

/** Where an IPC message came from, as far as trust depends on it. */
export interface Sender {
  /** The URL of the sending frame; null when the frame is gone. */
  readonly frameUrl: string | null;
  readonly isMainFrame: boolean;
  /** Whether the sending page belongs to a window that the app opened. */
  readonly isOwnWindow: boolean;
}

/** Whether a message from this sender may be answered: only the main frame of one of our windows, showing our own page. */
export function isTrustedSender(sender: Sender): boolean {
  return sender.isOwnWindow && sender.isMainFrame && sender.frameUrl !== null && isAppUrl(sender.frameUrl);
}
