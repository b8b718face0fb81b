/**
 * The locale in which the system writes dates, which may differ from the language of its programs (English with German dates);
 * undefined where nothing usable is set. `systemLocale` is the one that Electron finds, which on Linux is only the language.
 */
export function dateLocale(
  platform: NodeJS.Platform,
  env: NodeJS.ProcessEnv,
  systemLocale: string,
): string | undefined {
  const named = platform === 'linux' ? env['LC_ALL'] || env['LC_TIME'] || env['LANG'] : undefined;
  const tag = (named || systemLocale).replace(/[.@].*$/, '').replaceAll('_', '-');
  try {
    // Not asked whether it is known, for which 9 ms would go before the first window: the page takes the default for others.
    return Intl.getCanonicalLocales(tag)[0];
  } catch {
    // "C", and other names that are no locale.
    return undefined;
  }
}
