import { dateLocale } from '../../api/date-locale.ts';

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

/** "12.4 kB", "3.1 MB": decimal units, as npm prints sizes. */
export function formatBytes(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  const units = ['kB', 'MB', 'GB', 'TB'];
  let value = bytes;
  let unit = -1;
  while (value >= 999.5 && unit < units.length - 1) {
    value /= 1000;
    unit += 1;
  }
  return `${value >= 99.5 ? Math.round(value) : value.toFixed(1)} ${units[unit] ?? 'B'}`;
}

/** A formatter that is made when it is first used: each takes one or two milliseconds, and the first screen needs hardly any. */
function lazy<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => (made ??= make());
}

const relative = lazy(() => new Intl.RelativeTimeFormat('en', { numeric: 'auto', style: 'long' }));
// Dates are written as the system writes them; sentences are English.
const dateOnly = lazy(() => new Intl.DateTimeFormat(dateLocale, { year: 'numeric', month: 'short', day: 'numeric' }));
const dateAndTime = lazy(() => new Intl.DateTimeFormat(dateLocale, { dateStyle: 'full', timeStyle: 'medium' }));

/** "in 30 seconds", "just now", "5 minutes ago", "yesterday"; more than four weeks away: the date. Both arguments are milliseconds since 1970. */
export function formatAgo(time: number, now: number): string {
  const age = Math.abs(now - time);
  const sign = time > now ? 1 : -1;
  if (age < 45_000)
    return sign === 1 && age >= second ? relative().format(Math.round(age / second), 'second') : 'just now';
  const minutes = Math.max(1, Math.round(age / minute));
  if (minutes < 60) return relative().format(sign * minutes, 'minute');
  const hours = Math.round(age / hour);
  if (hours < 24) return relative().format(sign * hours, 'hour');
  if (age < 28 * day) return relative().format(daysBetween(now, time), 'day');
  return dateOnly().format(time);
}

/** Days of the calendar, not of 24 hours: what was late on Saturday is not yesterday early on Monday. */
function daysBetween(from: number, to: number): number {
  return Math.round((new Date(to).setHours(0, 0, 0, 0) - new Date(from).setHours(0, 0, 0, 0)) / day);
}

const clock = lazy(() => new Intl.DateTimeFormat(dateLocale, { timeStyle: 'medium' }));

/** "21:04:05", or "9:04:05 PM" where the system counts to twelve. */
export function formatClock(time: number): string {
  return clock().format(time);
}

const dayOnly = lazy(
  () => new Intl.DateTimeFormat(dateLocale, { year: 'numeric', month: 'short', day: 'numeric', timeZone: 'UTC' }),
);

/** "Jan 31, 2027" for a day without a time, given as `2027-01-31`. */
export function formatDay(day: string): string {
  const time = Date.parse(day);
  return Number.isNaN(time) ? day : dayOnly().format(time);
}

/** The full date and time, for tooltips and screen readers. */
export function formatMoment(time: number): string {
  return dateAndTime().format(time);
}

const dayHeading = lazy(() => new Intl.DateTimeFormat(dateLocale, { dateStyle: 'full' }));

const hourAndMinute = lazy(() => new Intl.DateTimeFormat(dateLocale, { timeStyle: 'short' }));

/** "2:00 AM", for an hour of the day from 0 to 23. */
export function formatHour(hour: number): string {
  return hourAndMinute().format(new Date(2027, 0, 31, hour));
}

const dateAndMinute = lazy(() => new Intl.DateTimeFormat(dateLocale, { dateStyle: 'medium', timeStyle: 'short' }));

/** "Jan 31, 2027, 2:00 AM", for what is planned. */
export function formatPlanned(time: number): string {
  return dateAndMinute().format(time);
}

/** "2027-01-31-21.04.05", for names of files and snapshots. */
export function nowForName(): string {
  // Swedish dates are ISO dates.
  return new Date().toLocaleString('sv').replace(' ', '-').replaceAll(':', '.');
}

/** "Today", "Yesterday", else "Friday, November 20, 2026". Both arguments are milliseconds since 1970. */
export function formatDayHeading(time: number, now: number): string {
  const date = dayHeading().format(time);
  if (date === dayHeading().format(now)) return 'Today';
  const yesterday = new Date(now);
  yesterday.setDate(yesterday.getDate() - 1);
  return date === dayHeading().format(yesterday) ? 'Yesterday' : date;
}

const whole = lazy(() => new Intl.NumberFormat('en'));

/** "1,234". */
export function formatCount(count: number): string {
  return whole().format(count);
}

/** "41%": whole, and 100 only when all is done. */
export function formatPercent(percent: number): string {
  return `${Math.floor(percent)}%`;
}

/** "1 version", "2 versions". */
export function plural(count: number, one: string, many: string = `${one}s`): string {
  return `${formatCount(count)} ${count === 1 ? one : many}`;
}

/** "a, b and 3 more": the first of some names, and how many others there are. */
export function fewOf(names: readonly string[], shown: number): string {
  const more = names.length - shown;
  return more > 0 ? `${names.slice(0, shown).join(', ')} and ${formatCount(more)} more` : names.join(', ');
}

/** A label within a sentence; "URL" stays. */
export function lowerFirst(label: string): string {
  return /^[A-Z][a-z]/.test(label) ? label.charAt(0).toLowerCase() + label.slice(1) : label;
}

/** The beginning of a sentence: "those whom" becomes "Those whom". */
export function upperFirst(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
