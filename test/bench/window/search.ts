import type { Page } from 'playwright';
import { medianOf } from './median.ts';

/** Milliseconds from a key in the search field to the frame that shows what it finds. */
export interface SearchTimes {
  readonly median: number;
  readonly slowest: number;
}

/** Types names one key at a time, and times the last key of each, which leaves one package. */
export async function measureSearch(page: Page): Promise<SearchTimes> {
  const field = page.getByRole('searchbox', { name: 'Search packages' });
  const times: number[] = [];
  for (const number of ['4321', '9876', '1357', '8642', '5555', '7003', '2468', '3141', '6283', '9041']) {
    const name = `scale-${number}`;
    await field.fill('');
    await page
      .getByRole('row', { name: /scale-0/ })
      .first()
      .waitFor();
    await field.pressSequentially(name.slice(0, -1), { delay: 60 });
    const shown = page.evaluate(waitForRow, name);
    await field.press(name.slice(-1));
    times.push(await shown);
  }
  return { median: medianOf(times), slowest: Math.max(...times) };
}

/** Runs in the page: from the next key to the frame after the one row is there. */
function waitForRow(name: string): Promise<number> {
  return new Promise((resolve) => {
    window.addEventListener(
      'keydown',
      (event) => {
        const look = (): void => {
          const rows = [...document.querySelectorAll('[role="grid"] [role="row"]')].filter((row) =>
            (row.textContent ?? '').includes('scale-'),
          );
          const found = rows.length === 1 && (rows[0]?.textContent ?? '').includes(name);
          requestAnimationFrame(found ? () => resolve(performance.now() - event.timeStamp) : look);
        };
        look();
      },
      { capture: true, once: true },
    );
  });
}
