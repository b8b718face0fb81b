import { expect, it } from 'vitest';
import { webAddress } from './web-address.ts';

it.each([
  ['git+https://example.com/acme/ui.git', 'https://example.com/acme/ui'],
  ['git@example.com:acme/ui.git', 'https://example.com/acme/ui'],
  ['git+ssh://git@example.com/acme/ui.git', 'https://example.com/acme/ui'],
  ['github:acme/ui', 'https://github.com/acme/ui'],
  ['acme/ui', 'https://github.com/acme/ui'],
  ['https://me:secret@example.com/docs', 'https://example.com/docs'],
  ['javascript:alert(1)', undefined],
  ['file:///etc/passwd', undefined],
  ['not a link', undefined],
])('reads %j as %j', (value, address) => {
  expect(webAddress(value)).toBe(address);
});
