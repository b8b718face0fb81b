import { BrowserWindow, Notification } from 'electron';
import { noticeOfEvent, noticeOfMany, noticeOfState, type Notice } from './notices.ts';
import type { ServerHost } from './server-host.ts';

/** Milliseconds within which publishes count as one batch: a workspace publishes its packages one after the other. */
const batchSpan = 10_000;

export interface NotifierOptions {
  readonly host: ServerHost;
  /** Asked at every notice: the settings may change. */
  readonly wanted: () => boolean;
  readonly open: (packageName: string | null) => void;
}

/** Tells what happened while nobody looks at a window. */
export class Notifier {
  readonly #options: NotifierOptions;
  // What is shown must be referred to, or its click is lost with it.
  readonly #shown = new Map<Notice['kind'], Notification>();
  #batch = { count: 0, last: 0 };

  constructor(options: NotifierOptions) {
    this.#options = options;
    options.host.onEvent((event) => this.#tell(noticeOfEvent(event)));
    options.host.onState((state) => this.#tell(noticeOfState(state)));
  }

  /** Takes away what is still shown: a click would have nothing to open. */
  close(): void {
    for (const notification of this.#shown.values()) notification.close();
  }

  #tell(found: Notice | null): void {
    if (found === null || !this.#options.wanted() || !Notification.isSupported()) return;
    if (isLookedAt(BrowserWindow.getFocusedWindow())) return;
    const notice = found.kind === 'published' ? this.#batched(found) : found;
    const notification = new Notification({ title: notice.title, body: notice.body });
    notification.on('click', () => this.#options.open(notice.packageName));
    // One of a kind: the newest says all that the ones before said.
    this.#shown.get(notice.kind)?.close();
    this.#shown.set(notice.kind, notification);
    notification.show();
  }

  #batched(notice: Notice): Notice {
    const now = Date.now();
    this.#batch = { count: now - this.#batch.last < batchSpan ? this.#batch.count + 1 : 1, last: now };
    return this.#batch.count === 1 ? notice : noticeOfMany(this.#batch.count);
  }
}

/** Some systems leave the focus with a window that is minimized or hidden. */
function isLookedAt(window: BrowserWindow | null): boolean {
  return window !== null && window.isVisible() && !window.isMinimized();
}
