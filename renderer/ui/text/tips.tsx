import { Tooltip } from '@mantine/core';
import { useEffect, useState } from 'react';
import { tipAt, tipOnFocus } from './tip.ts';

/** Milliseconds that the pointer rests before a tooltip shows. */
const delay = 350;

interface OpenTip {
  text: string;
  /** Tells it from the one before. */
  key: number;
  /** Where it does not cover what comes next: a part that goes down has its tooltips at the right. */
  position: 'bottom-start' | 'right';
  /** In pixels of the window. */
  place: { left: number; top: number; width: number; height: number };
}

/**
 * The one tooltip of everything that was given one (`tip`) and of all text that is cut off, on hover and on focus by keyboard. A tooltip
 * component around each cell would be most of the work of drawing a table.
 */
export function Tips() {
  const [open, setOpen] = useState<OpenTip>();
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let shownFor: Element | undefined;
    // Where the pointer was last, and whether something else came under it without a movement: a dialog closed, a list scrolled.
    let lastPoint = '';
    let isResting = false;
    const hide = (): void => {
      clearTimeout(timer);
      shownFor = undefined;
      setOpen(undefined);
    };
    const show = (found: ReturnType<typeof tipAt>, wait: number): void => {
      if (found?.element === shownFor) return;
      hide();
      if (found === undefined || found.text === '') return;
      shownFor = found.element;
      timer = setTimeout(() => {
        if (!found.element.isConnected) return;
        const { left, top, width, height } = found.element.getBoundingClientRect();
        setOpen((former) => ({
          text: found.text,
          key: (former?.key ?? 0) + 1,
          position: found.element.closest('[data-tip-side="right"]') ? 'right' : 'bottom-start',
          place: { left, top, width, height },
        }));
      }, wait);
    };
    const onPointer = ({ type, target, pointerType, buttons, screenX, screenY }: PointerEvent): void => {
      const point = `${screenX},${screenY}`;
      const hasMoved = point !== lastPoint;
      lastPoint = point;
      if (type === 'pointermove' && !(isResting && hasMoved)) return;
      isResting = !hasMoved;
      if (isResting) return hide();
      if (pointerType === 'mouse' && buttons === 0 && target instanceof Element) show(tipAt(target), delay);
    };
    const onFocus = ({ target }: FocusEvent): void => {
      if (target instanceof Element && target.matches(':focus-visible')) show(tipOnFocus(target), delay);
    };
    const listeners: [string, (event: never) => void][] = [
      ['pointerover', onPointer],
      ['pointermove', onPointer],
      ['focusin', onFocus],
      ['focusout', hide],
      ['pointerdown', hide],
      ['keydown', hide],
      ['scroll', hide],
      ['blur', hide],
      ['resize', hide],
    ];
    for (const [name, listener] of listeners) addEventListener(name, listener as EventListener, { capture: true });
    document.documentElement.addEventListener('pointerleave', hide);
    return () => {
      hide();
      for (const [name, listener] of listeners) removeEventListener(name, listener as EventListener, { capture: true });
      document.documentElement.removeEventListener('pointerleave', hide);
    };
  }, []);
  if (open === undefined) return null;
  return (
    <Tooltip key={open.key} opened label={open.text} multiline maw={420} position={open.position}>
      <span aria-hidden="true" style={{ position: 'fixed', pointerEvents: 'none', ...open.place }} />
    </Tooltip>
  );
}
