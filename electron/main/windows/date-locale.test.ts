import { expect, it } from 'vitest';
import { dateLocale } from './date-locale.ts';

it.each([
  ['English programs with German dates', 'linux', { LANG: 'en_US.UTF-8', LC_TIME: 'de_DE.UTF-8' }, 'en-US', 'de-DE'],
  ['LC_ALL before all others', 'linux', { LC_ALL: 'sv_SE.UTF-8', LC_TIME: 'de_DE' }, 'sv', 'sv-SE'],
  ['British dates', 'linux', { LANG: 'en_GB.UTF-8' }, 'en-GB', 'en-GB'],
  ['a variant', 'linux', { LANG: 'de_AT@euro' }, 'de', 'de-AT'],
  ['no locale at all', 'linux', { LANG: 'C.UTF-8' }, 'en-US', undefined],
  ['nothing set', 'linux', {}, 'en-US@posix', 'en-US'],
  ['regional format of Windows and macOS', 'win32', { LANG: 'C' }, 'de-CH', 'de-CH'],
] as const)('writes dates as the system does: %s', (_what, platform, env, systemLocale, expected) => {
  expect(dateLocale(platform, env, systemLocale)).toBe(expected);
});
