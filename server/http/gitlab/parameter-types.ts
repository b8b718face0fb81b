import { isDate } from '../../lib/calendar.ts';

/** Converts one value; undefined if it is invalid. An empty text is null, as in a form. */
export type Coercion<T> = (raw: unknown) => T | null | undefined;

export const toText: Coercion<string> = (raw) => {
  if (raw === null || typeof raw === 'string') return raw;
  return typeof raw === 'number' || typeof raw === 'boolean' ? String(raw) : undefined;
};

/** Whole numbers; numeric texts and fractions are taken as GitLab takes them: `"40"` and `40.5` are 40. */
export const toInteger: Coercion<number> = (raw) => {
  if (raw === null || raw === '') return null;
  const number = typeof raw === 'string' && /^\s*[+-]?\d+(\.\d+)?\s*$/.test(raw) ? Number(raw) : raw;
  if (typeof number !== 'number') return undefined;
  const whole = Math.trunc(number);
  return Number.isSafeInteger(whole) ? whole : undefined;
};

const truths: readonly unknown[] = [true, 1, '1', 't', 'true', 'on', 'yes', 'y'];
const untruths: readonly unknown[] = [false, 0, '0', 'f', 'false', 'off', 'no', 'n'];

export const toBoolean: Coercion<boolean> = (raw) => {
  if (raw === null || raw === '') return null;
  const value = typeof raw === 'string' ? raw.toLowerCase() : raw;
  if (truths.includes(value)) return true;
  return untruths.includes(value) ? false : undefined;
};

/** A day as YYYY-MM-DD; of a moment the day that it falls on. */
export const toDate: Coercion<string> = (raw) => {
  if (raw === null || raw === '') return null;
  if (typeof raw !== 'string') return undefined;
  const day = raw.trim().slice(0, 10);
  const rest = raw.trim().slice(10);
  return isDate(day) && (rest === '' || /^[T ]/.test(rest)) ? day : undefined;
};

/** A moment in milliseconds since 1970. */
export const toMoment: Coercion<number> = (raw) => {
  if (raw === null || raw === '') return null;
  if (typeof raw !== 'string') return undefined;
  const time = Date.parse(raw);
  return Number.isNaN(time) ? undefined : time;
};

/** A list of texts, or one text with commas, or a single number. */
export const toTexts: Coercion<string[]> = (raw) => {
  if (raw === null) return null;
  const list = typeof raw === 'string' ? raw.split(',').map((part) => part.trim()) : Array.isArray(raw) ? raw : [raw];
  const texts = list.map((item) => toText(item));
  return texts.every((text) => typeof text === 'string') ? texts.filter((text) => text !== '') : undefined;
};

/** A list of whole numbers, or one text with commas. */
export const toIntegers: Coercion<number[]> = (raw) => {
  if (raw === null || raw === '') return null;
  const list = typeof raw === 'string' ? raw.split(',') : Array.isArray(raw) ? raw : [raw];
  const numbers = list.map((item) => toInteger(item));
  return numbers.every((number) => typeof number === 'number') ? numbers : undefined;
};
