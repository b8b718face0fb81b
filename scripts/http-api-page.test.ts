import { expect, it } from 'vitest';
import { isCurrent } from './http-api-page.ts';

it('the page of the reference about the HTTP API is current; "npm run api-page" writes it', async () => {
  expect(await isCurrent()).toBe(true);
});
