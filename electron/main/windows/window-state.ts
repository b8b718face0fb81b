import { z } from 'zod';

export interface Area {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export const minimumSize = { width: 780, height: 560 } as const;
const firstSize = { width: 1240, height: 800 } as const;

export const windowState = z.object({
  bounds: z.object({ x: z.int(), y: z.int(), width: z.int(), height: z.int() }).nullable().default(null),
  maximized: z.boolean().default(false),
});
export type WindowState = z.infer<typeof windowState>;

/**
 * The bounds that a window opens with: the remembered ones if enough of the title bar is on a connected display, else a size for which the
 * system picks the place. Sizes stay within the display's work area.
 */
export function openingBounds(
  state: WindowState,
  displays: readonly Area[],
): Partial<Area> & Pick<Area, 'width' | 'height'> {
  const { bounds } = state;
  if (bounds === null) return firstSize;
  const display = displays.find((area) => titleIsReachable(bounds, area));
  if (display === undefined)
    return { width: Math.max(bounds.width, minimumSize.width), height: Math.max(bounds.height, minimumSize.height) };
  return {
    x: bounds.x,
    y: bounds.y,
    width: Math.max(minimumSize.width, Math.min(bounds.width, display.width)),
    height: Math.max(minimumSize.height, Math.min(bounds.height, display.height)),
  };
}

function titleIsReachable(bounds: Area, display: Area): boolean {
  const overlap = Math.min(bounds.x + bounds.width, display.x + display.width) - Math.max(bounds.x, display.x);
  return overlap >= 120 && bounds.y >= display.y && bounds.y <= display.y + display.height - 60;
}
