import { describe, expect, it } from 'vitest';
import { minimumSize, openingBounds } from './window-state.ts';

const display = { x: 0, y: 0, width: 1920, height: 1040 };
const bounds = { x: 100, y: 80, width: 1300, height: 900 };

describe('where a window opens', () => {
  it('lets the system place the first one', () => {
    expect(openingBounds({ bounds: null, maximized: false }, [display])).toEqual({ width: 1240, height: 800 });
  });

  it('is where it was', () => {
    expect(openingBounds({ bounds, maximized: false }, [display])).toEqual(bounds);
  });

  it('is not on a display that is gone', () => {
    const away = { ...bounds, x: 2500 };
    expect(openingBounds({ bounds: away, maximized: false }, [display])).toEqual({ width: 1300, height: 900 });
    expect(openingBounds({ bounds: away, maximized: false }, [display, { ...display, x: 1920 }])).toEqual(away);
  });

  it('fits the display and stays usable', () => {
    const small = { ...display, width: 1024, height: 700 };
    expect(openingBounds({ bounds, maximized: false }, [small])).toMatchObject({ width: 1024, height: 700 });
    const tiny = { ...bounds, width: 10, height: 10 };
    expect(openingBounds({ bounds: { ...tiny, width: 200 }, maximized: false }, [display])).toMatchObject(minimumSize);
  });
});
