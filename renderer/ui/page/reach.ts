/**
 * A control of a screen that commands and other screens act on, marked with `data-command`: the search field, the button that adds to the
 * list, what else the palette offers by name, and for the inbox what becomes of refused publishes. A screen has at most one of each.
 */
export type Control = 'find' | 'new' | 'back-up' | 'restore' | 'snapshot' | 'check' | 'export' | 'import' | 'refusals';

const controls = 'a[href], button:not(:disabled), input:not(:disabled), [tabindex="0"]';
/** Milliseconds after which a screen that does not show the control will not. */
const patience = 5_000;

/** Presses a button, or focuses a field or the first one of a form; whether the screen has that control. */
export function actOn(control: Control): boolean {
  return press(document.querySelector<HTMLElement>(`main [data-command="${control}"]`));
}

/** Like `actOn`, once the screen that was just opened shows the control. */
export function actOnceShown(control: Control): void {
  onceShown(() => actOn(control));
}

/**
 * Like `actOn`, also on a screen that is still on its way or waits for its data. A screen may have no such control, so the next key or press
 * of the pointer ends the waiting.
 * @param arrived when the screen that was asked for last is drawn
 */
export function actWhenReady(control: Control, arrived: Promise<unknown>): void {
  const waiting = new AbortController();
  const { signal } = waiting;
  for (const event of ['keydown', 'pointerdown']) {
    addEventListener(event, () => waiting.abort(), { capture: true, signal });
  }
  void arrived.then(() => onceShown(() => signal.aborted || actOn(control)));
}

/** Scrolls to the setting of this title and focuses its control, once the settings are shown. */
export function showSetting(title: string): void {
  onceShown(() => press(document.querySelector<HTMLElement>(`main [data-setting="${CSS.escape(title)}"]`)));
}

function press(element: HTMLElement | null): boolean {
  if (element === null) return false;
  if (element instanceof HTMLInputElement) {
    element.focus();
    element.select();
  } else if (element instanceof HTMLButtonElement) {
    element.focus();
    element.click();
  } else {
    element.scrollIntoView({ block: 'nearest' });
    element.querySelector<HTMLElement>(controls)?.focus();
  }
  return true;
}

function onceShown(act: () => boolean): void {
  if (act()) return;
  const observer = new MutationObserver(() => {
    if (act()) stop();
  });
  const stop = () => {
    observer.disconnect();
    clearTimeout(timer);
  };
  const timer = setTimeout(stop, patience);
  observer.observe(document.body, { childList: true, subtree: true });
}

/**
 * Presses the button that saves what is edited: in the dialog on top, else in the form with the focus, else in the only form of the screen
 * that has something to save.
 */
export function saveForm(): void {
  const layer = [...document.querySelectorAll('[role="dialog"]')].at(-1) ?? document.querySelector('main');
  const enabled = 'button[type="submit"]:not(:disabled)';
  const focused = document.activeElement?.closest('form');
  const all = [...(layer?.querySelectorAll<HTMLElement>(`form ${enabled}`) ?? [])];
  const button =
    focused && layer?.contains(focused)
      ? focused.querySelector<HTMLElement>(enabled)
      : all.length === 1
        ? all[0]
        : null;
  button?.click();
}
