import { useEffect, useRef, type RefObject } from 'react';

/**
 * For the heading of a screen: it takes the focus when the screen appears and nothing has it, since what had it went away with the former
 * screen; a keyboard or the reader of a screen goes on from there. The heading needs `tabIndex={-1}`.
 */
export function useFirstFocus(): RefObject<HTMLHeadingElement | null> {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (document.activeElement === null || document.activeElement === document.body) heading.current?.focus();
  }, []);
  return heading;
}
