import { useEffect, useRef, type RefObject } from 'react';

/**
 * For the heading of a screen, with `tabIndex={-1}`: takes the focus when the screen appears and the former screen took it away, or a key
 * that opened this one left it to the screen (`leaveSidebar`).
 */
export function useFirstFocus(): RefObject<HTMLHeadingElement | null> {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    const focused = document.activeElement;
    if (focused === null || focused === document.body || focused.localName === 'main') heading.current?.focus();
  }, []);
  return heading;
}

/** Takes the focus from the sidebar to the screen, which a command is about to change: keys would otherwise go on acting on the sidebar. */
export function leaveSidebar(): void {
  if (document.activeElement?.closest('nav') != null) document.querySelector<HTMLElement>('main')?.focus();
}
