import type { Page } from 'playwright';

export interface ScrollFrames {
  readonly drawn: number;
  readonly dropped: number;
}

interface TraceEvent {
  readonly name: string;
}

/** Scrolls through the list for some seconds and counts Chromium's own trace of drawn and dropped frames. */
export async function measureScrolling(page: Page): Promise<ScrollFrames> {
  await page.getByRole('searchbox', { name: 'Search packages' }).fill('');
  const row = page.getByRole('row', { name: /scale-0/ }).first();
  await row.waitFor();
  const tracing = await page.context().newCDPSession(page);
  const events: TraceEvent[] = [];
  tracing.on('Tracing.dataCollected', ({ value }) => events.push(...(value as unknown as TraceEvent[])));
  const complete = new Promise<void>((resolve) => tracing.once('Tracing.tracingComplete', () => resolve()));
  await row.hover();
  await tracing.send('Tracing.start', {
    transferMode: 'ReportEvents',
    traceConfig: { includedCategories: ['devtools.timeline', 'disabled-by-default-devtools.timeline.frame'] },
  });
  for (let step = 0; step < 120; step += 1) {
    await page.mouse.wheel(0, 240);
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(resolve)));
  }
  await tracing.send('Tracing.end');
  await complete;
  const count = (name: string): number => events.filter((event) => event.name === name).length;
  return { drawn: count('DrawFrame'), dropped: count('DroppedFrame') };
}
