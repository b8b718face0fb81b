import { describe, expect, it } from 'vitest';
import { inCommonYears } from '../../api/date-locale.ts';
import { addMonths, parseDay, weeksOf } from './days.ts';

describe('a typed day', () => {
  it.each([
    ['2027-01-31', 'en-US', '2027-01-31'],
    ['1/31/2027', 'en-US', '2027-01-31'],
    ['31/1/2027', 'en-GB', '2027-01-31'],
    ['31.1.27', 'de-DE', '2027-01-31'],
    ['Jan 31, 2027', 'en-US', '2027-01-31'],
    ['31 January 2027', 'en-GB', '2027-01-31'],
    ['31. Januar 2027', 'de-DE', '2027-01-31'],
    ['2027/1/31', 'ja-JP', '2027-01-31'],
  ])('%s in %s is %s', (text, locale, day) => {
    expect(parseDay(text, locale)).toBe(day);
  });

  it.each(['', 'tomorrow', '2027-02-30', '31/1/2027', '12/2027', '99999-01-01', 'Foo 3, 2027'])(
    '%s is no day',
    (text) => {
      expect(parseDay(text, 'en-US')).toBeUndefined();
    },
  );
});

it.each(['nl-NL', 'ru-RU', 'bg-BG', 'he-IL', 'ar-EG', 'fa-IR', 'hi-IN', 'th-TH', 'vi-VN', 'ja-JP', 'ko-KR', 'zh-CN'])(
  'a day is read again as %s writes it, with the years and digits of all others',
  (tag) => {
    const locale = inCommonYears(tag);
    const format = new Intl.DateTimeFormat(locale, {
      year: 'numeric',
      month: 'short',
      day: 'numeric',
      timeZone: 'UTC',
    });
    const days = Array.from({ length: 12 }, (_, month) =>
      new Date(Date.UTC(2027, month, 28)).toISOString().slice(0, 10),
    );
    expect(days.map((day) => parseDay(format.format(Date.parse(day)), locale))).toEqual(days);
  },
);

describe('a month', () => {
  it('begins its weeks where the locale does', () => {
    expect(weeksOf('2027-01-31', 'en-US')[0]?.[0]).toBe('2026-12-27');
    expect(weeksOf('2027-01-31', 'de-DE')[0]?.[0]).toBe('2026-12-28');
    // Of six weeks, whether the month needs them or not.
    expect(weeksOf('2027-02-14', 'de-DE').at(-1)?.at(-1)).toBe('2027-03-14');
  });

  it('has its last day where the other month was longer', () => {
    expect(addMonths('2027-01-31', 1)).toBe('2027-02-28');
    expect(addMonths('2027-01-15', -1)).toBe('2026-12-15');
  });
});
