const ofSystem = typeof window === 'undefined' ? undefined : (window as Partial<Window>).gatehouse?.dateLocale;

/** The locale in which dates and times are written and read, as the system has it; undefined for the default one. Sentences are English. */
export const dateLocale = ofSystem === undefined ? undefined : inCommonYears(ofSystem);

/** The locale with the years and digits that the registry's days have: Thai dates would count from another year. */
export function inCommonYears(locale: string): string {
  return new Intl.Locale(locale, { calendar: 'gregory', numberingSystem: 'latn' }).toString();
}
