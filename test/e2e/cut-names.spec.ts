import { expect, test } from './fixtures.ts';
import { resize, show, sizes } from './sizes.ts';

test('a request path whose end is too long for its column, too, is cut between two letters', async ({
  gatehouse,
  rest,
}) => {
  const { page } = gatehouse;
  const name = 'a-name-that-goes-on-'.repeat(9);
  expect((await rest('GET', `/projects/1/packages/npm/${name}`)).status).toBe(404);
  await resize(gatehouse, sizes[0]);
  await show(gatehouse, '/activity?view=requests');
  const end = page.getByRole('row', { name: new RegExp(name) }).locator('.gh-tail-text > :last-child');
  const { shown, letters, letter } = await end.evaluate((element) => {
    const text = element.querySelector('bdi');
    const letters = text?.textContent.length ?? 0;
    const letter = (text?.getBoundingClientRect().width ?? 0) / letters;
    return { shown: element.getBoundingClientRect().width / letter, letters, letter };
  });
  expect(letter).toBeGreaterThan(5);
  expect(shown).toBeGreaterThan(10);
  expect(shown).toBeLessThan(letters);
  expect(shown).toBeCloseTo(Math.round(shown), 1);
});
