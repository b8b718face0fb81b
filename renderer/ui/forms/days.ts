import { dateLocale } from '../../api/date-locale.ts';

/** Days without a time, as `2027-01-31`, in the order and words of a locale; without one, of the system. */

const dayLength = 86_400_000;

function isoOf(year: number, month: number, day: number): string | undefined {
  const time = new Date(Date.UTC(year, month - 1, day));
  // February 30 would become March 2.
  if (time.getUTCMonth() !== month - 1 || time.getUTCDate() !== day || year < 1970 || year > 9999) return undefined;
  return time.toISOString().slice(0, 10);
}

/** Today where the window is. */
export function today(): string {
  const now = new Date();
  return isoOf(now.getFullYear(), now.getMonth() + 1, now.getDate()) ?? now.toISOString().slice(0, 10);
}

export function addDays(day: string, count: number): string {
  return new Date(Date.parse(day) + count * dayLength).toISOString().slice(0, 10);
}

/** The same day of another month, or the last one of that month. */
export function addMonths(day: string, count: number): string {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  const last = new Date(Date.UTC(year, month + count, 0));
  return isoOf(last.getUTCFullYear(), last.getUTCMonth() + 1, Math.min(date, last.getUTCDate())) ?? day;
}

/** Six weeks of seven days that begin with the one of the first of a day's month: every month has the same height. */
export function weeksOf(day: string, locale = dateLocale): string[][] {
  const first = `${day.slice(0, 8)}01`;
  const start = addDays(first, -((new Date(first).getUTCDay() - firstWeekday(locale) + 7) % 7));
  return Array.from({ length: 6 }, (_, week) =>
    Array.from({ length: 7 }, (_day, index) => addDays(start, 7 * week + index)),
  );
}

/** 0 for Sunday; Monday where the engine does not know. */
function firstWeekday(locale: string | undefined): number {
  const known = new Intl.Locale(locale ?? new Intl.DateTimeFormat().resolvedOptions().locale) as Intl.Locale & {
    getWeekInfo?: () => { firstDay: number };
  };
  return (known.getWeekInfo?.().firstDay ?? 1) % 7;
}

/** What was typed as `2027-01-31`, `31.1.2027` or `1/31/2027` as the locale has it, or `Jan 31, 2027`; undefined if it is no day. */
export function parseDay(text: string, locale = dateLocale): string | undefined {
  const iso = /^(\d{4})-(\d{1,2})-(\d{1,2})$/.exec(text.trim());
  if (iso) return isoOf(Number(iso[1]), Number(iso[2]), Number(iso[3]));
  const numbers = (text.match(/\d+/g) ?? []).map(Number);
  const written = dayWritten(text.trim(), numbers, locale);
  if (written !== undefined) return written;
  const word = /\p{L}{3,}/u.exec(text)?.[0].toLowerCase();
  if (word === undefined) {
    if (numbers.length !== 3 || !/^[\d\s./-]+$/.test(text)) return undefined;
    const order = new Intl.DateTimeFormat(locale).formatToParts(0).flatMap(({ type }) => (isPart(type) ? [type] : []));
    const part = (name: 'day' | 'month' | 'year') => numbers[order.indexOf(name)] ?? 0;
    return isoOf(fullYear(part('year')), part('month'), part('day'));
  }
  const year = numbers.find((number) => number > 31);
  const day = numbers.find((number) => number <= 31);
  const month = [locale, 'en']
    .map((each) => monthNames(each).findIndex((name) => name.startsWith(word)))
    .find((index) => index !== -1);
  return year === undefined || day === undefined || month === undefined ? undefined : isoOf(year, month + 1, day);
}

/** The day whose short form in the locale is just this text, whatever script and order that has. */
function dayWritten(text: string, numbers: readonly number[], locale: string | undefined): string | undefined {
  const format = new Intl.DateTimeFormat(locale, { year: 'numeric', month: 'short', day: 'numeric', timeZone: 'UTC' });
  const year = numbers.find((number) => number > 31);
  if (year === undefined) return undefined;
  return numbers
    .filter((number) => number <= 31)
    .flatMap((day) => Array.from({ length: 12 }, (_, month) => isoOf(year, month + 1, day) ?? ''))
    .find((day) => day !== '' && format.format(Date.parse(day)) === text);
}

function isPart(type: string): type is 'day' | 'month' | 'year' {
  return type === 'day' || type === 'month' || type === 'year';
}

function fullYear(year: number): number {
  return year < 100 ? 2000 + year : year;
}

function monthNames(locale: string | undefined): string[] {
  const format = new Intl.DateTimeFormat(locale, { month: 'long', timeZone: 'UTC' });
  return Array.from({ length: 12 }, (_, month) => format.format(Date.UTC(2027, month, 1)).toLowerCase());
}
