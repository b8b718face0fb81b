import { useEffect, useRef, type RefObject } from 'react';

/**
 * For the heading of a screen, with `tabIndex={-1}`: takes the focus when the screen appears and the former screen took it away, or a key
 * that opened this one left it to the screen (`leaveSidebar`).
 */
export function useFirstFocus(): RefObject<HTMLHeadingElement | null> {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (isFocusLeft()) heading.current?.focus();
  }, []);
  return heading;
}

/** Whether nothing of the screen has the focus: what had it is gone, or left it to the screen (`leaveSidebar`). */
export function isFocusLeft(): boolean {
  const focused = document.activeElement;
  return focused === null || focused === document.body || focused.localName === 'main';
}

/** Takes the focus from the sidebar to the screen, which a command is about to change: keys would otherwise go on acting on the sidebar. */
export function leaveSidebar(): void {
  if (document.activeElement?.closest('nav:not(main nav)') != null)
    document.querySelector<HTMLElement>('main')?.focus();
}
