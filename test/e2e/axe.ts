import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright';

/**
 * What axe has to say of the window as it stands: the rule and the places of each. Nothing moves meanwhile, as what is half faded has less
 * contrast. Legacy mode, since Electron cannot open the blank page that axe would use.
 */
export async function axeViolations(page: Page): Promise<string[]> {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  try {
    const { violations } = await new AxeBuilder({ page }).setLegacyMode().analyze();
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.target.join(' ')).join(', ')}`);
  } finally {
    await page.emulateMedia({ reducedMotion: null });
  }
}
