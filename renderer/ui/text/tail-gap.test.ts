import { afterEach, expect, it, vi } from 'vitest';
import { closeGapAfter } from './tail-gap.ts';

afterEach(() => {
  document.body.replaceChildren();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

/** A text of letters 10 pixels wide, the ellipsis too, in a box of `width`; returns how far its end was moved. */
function movedBy(letters: number, width: number): string {
  let report = (_entries: { target: Element }[]): void => undefined;
  vi.stubGlobal(
    'ResizeObserver',
    class {
      constructor(callback: typeof report) {
        report = callback;
      }
      observe(): void {}
      unobserve(): void {}
    },
  );
  vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue({ measureText: () => ({ width: 10 }) } as never);
  vi.spyOn(Range.prototype, 'getBoundingClientRect').mockImplementation(function (this: Range) {
    return new DOMRect(0, 0, this.endOffset * 10, 10);
  });
  const [head, tail] = [document.createElement('span'), document.createElement('span')];
  head.textContent = 'x'.repeat(letters);
  document.body.append(head, tail);
  vi.spyOn(head, 'getBoundingClientRect').mockReturnValue(new DOMRect(0, 0, width, 10));
  vi.spyOn(head, 'clientWidth', 'get').mockReturnValue(Math.round(width));
  vi.spyOn(head, 'scrollWidth', 'get').mockReturnValue(Math.max(Math.round(width), letters * 10));
  const end = closeGapAfter(head);
  report([{ target: head }]);
  end();
  return tail.style.translate;
}

it('leaves no room of a letter that did not fit between the ellipsis and the end', () => {
  // Five letters and the ellipsis fit into 67 pixels.
  expect(movedBy(20, 67)).toBe('-7px');
});
