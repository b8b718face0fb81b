import { makePublishDocument } from '../support/publish-document.ts';
import { scaled } from '../support/scale.ts';
import { rootToken } from './electron-app.ts';
import { expect, test } from './fixtures.ts';

const packages = scaled('GATEHOUSE_PACKAGES', { short: 1_000, full: 10_000 });
const frames = 120;
/** More rows than the window has room for. */
const drawn = 80;

const nameOf = (index: number): string => `@scope-${index % 40}/package-${index}`;

async function publishAll(origin: string): Promise<void> {
  let next = 0;
  const worker = async (): Promise<void> => {
    for (let index = next++; index < packages; index = next++) {
      const name = nameOf(index);
      const answer = await fetch(`${origin}/api/v4/projects/1/packages/npm/${encodeURIComponent(name)}`, {
        method: 'PUT',
        headers: { authorization: `Bearer ${rootToken}`, 'content-type': 'application/json' },
        body: JSON.stringify(await makePublishDocument({ name, version: '1.0.0' })),
      });
      if (!answer.ok) throw new Error(await answer.text());
    }
  };
  await Promise.all(Array.from({ length: 12 }, worker));
}

/** Runs in the page: from each key in the search field to the frame that shows its rows, in milliseconds. */
function watchKeys(): void {
  const waits: number[] = [];
  (window as unknown as { keyWaits: number[] }).keyWaits = waits;
  let pressed: number | undefined;
  addEventListener('keydown', (event) => (pressed = event.timeStamp), { capture: true });
  const table = document.querySelector('[role="grid"]');
  if (table === null) throw new Error('There is no table.');
  new MutationObserver(() => {
    if (pressed === undefined) return;
    const since = pressed;
    pressed = undefined;
    requestAnimationFrame(() => waits.push(performance.now() - since));
  }).observe(table, { attributes: true, attributeFilter: ['aria-rowcount'] });
}

/** Runs in the page: scrolls the table by three rows in each frame, and returns how long each frame took. */
async function scrollFrames(count: number): Promise<number[]> {
  const table = document.querySelector('[role="grid"]');
  const nextFrame = (): Promise<number> => new Promise((resolve) => requestAnimationFrame(resolve));
  const durations: number[] = [];
  let last = await nextFrame();
  for (let frame = 0; frame < count; frame += 1) {
    table?.scrollBy(0, 120);
    const now = await nextFrame();
    durations.push(now - last);
    last = now;
  }
  return durations;
}

test('of thousands of packages only those in sight are drawn, while they are scrolled and searched at each key', async ({
  gatehouse,
}, testInfo) => {
  test.setTimeout(600_000);
  const { page, origin } = gatehouse;
  await publishAll(origin);
  const grid = page.getByRole('grid', { name: 'Packages' });
  await expect(grid).toHaveAttribute('aria-rowcount', String(packages + 1));

  const durations = (await page.evaluate(scrollFrames, frames)).toSorted((a, b) => a - b);
  // Three vertical blanks: less is the noise of a machine that does something else.
  expect(await grid.getByRole('row').count()).toBeLessThan(drawn);
  const dropped = durations.filter((duration) => duration > 50).length;

  await page.getByRole('searchbox', { name: 'Search packages' }).focus();
  await page.evaluate(watchKeys);
  const typed = 'package-7';
  for (const text of [typed, 'scope-3', '99']) {
    for (const letter of text) {
      const before = await page.evaluate(() => (window as unknown as { keyWaits: number[] }).keyWaits.length);
      const rows = await page.getByRole('grid').getAttribute('aria-rowcount');
      await page.keyboard.press(letter);
      // A letter that narrows nothing changes no row.
      await page.waitForFunction(
        ([known, count]) =>
          (window as unknown as { keyWaits: number[] }).keyWaits.length > known ||
          document.querySelector('[role="grid"]')?.getAttribute('aria-rowcount') === count,
        [before, rows] as const,
      );
    }
    const found = Array.from({ length: packages }, (_, index) => nameOf(index)).filter((name) => name.includes(text));
    await expect(grid).toHaveAttribute('aria-rowcount', String(found.length + 1));
    expect(await grid.getByRole('row').count()).toBeLessThan(drawn);
    await page.keyboard.press('Escape');
    // Looked for by role, as above, it would be the work of the test that is measured.
    await page.waitForFunction(
      (all) => document.querySelector('[role="grid"]')?.getAttribute('aria-rowcount') === all,
      String(packages + 1),
    );
  }
  const waits = await page.evaluate(() => (window as unknown as { keyWaits: number[] }).keyWaits);
  const sorted = waits.toSorted((a, b) => a - b);
  const median = sorted[Math.floor(sorted.length / 2)] ?? Infinity;
  const worst = sorted.at(-1) ?? Infinity;
  const figures = `${packages} packages, ${waits.length} keys: median ${median.toFixed(0)} ms, worst ${worst.toFixed(0)} ms; ${dropped} of ${frames} frames dropped, the longest ${(durations.at(-1) ?? 0).toFixed(0)} ms`;
  testInfo.annotations.push({ type: 'figures', description: figures });
  console.log(figures);
  // Beside other tests, times are only printed. All of the packages are for a machine at rest: the aims are 50 and 100 ms and no dropped frame.
  if (packages < 10_000) return;
  expect(median, figures).toBeLessThan(150);
  expect(worst, figures).toBeLessThan(300);
  expect(dropped, figures).toBeLessThan(frames / 10);
});
