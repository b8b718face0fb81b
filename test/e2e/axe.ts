import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright';

/**
 * What axe has to say of the window as it stands: the rule and the places of each. Nothing fades meanwhile, as what is half shown has less
 * contrast. Legacy mode, since Electron cannot open the blank page that axe would use.
 */
export async function axeViolations(page: Page): Promise<string[]> {
  const stopped = await page.evaluateHandle(() => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync('*, ::before, ::after { transition: none !important; }');
    document.adoptedStyleSheets.push(sheet);
    return sheet;
  });
  try {
    const { violations } = await new AxeBuilder({ page }).setLegacyMode().analyze();
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.target.join(' ')).join(', ')}`);
  } finally {
    await stopped.evaluate((sheet) => {
      document.adoptedStyleSheets = document.adoptedStyleSheets.filter((each) => each !== sheet);
    });
  }
}
