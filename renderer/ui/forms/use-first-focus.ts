import { useEffect, useRef, type RefObject } from 'react';

/** For the heading of a screen, with `tabIndex={-1}`: takes the focus when the screen appears and the former screen took it away. */
export function useFirstFocus(): RefObject<HTMLHeadingElement | null> {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (document.activeElement === null || document.activeElement === document.body) heading.current?.focus();
  }, []);
  return heading;
}
