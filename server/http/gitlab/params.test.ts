import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseNested } from './nested-query.ts';
import { ParameterError } from '../errors.ts';
import {
  atLeastOneOf,
  boolean,
  date,
  type Declaration,
  integer,
  list,
  mutuallyExclusive,
  numberChoice,
  readParameters,
  text,
  texts,
} from './params.ts';

function complaintOf(declaration: Declaration, parameters: Record<string, unknown>): string | undefined {
  try {
    readParameters(declaration, parameters);
    return undefined;
  } catch (error) {
    if (error instanceof ParameterError) return error.message;
    throw error;
  }
}

describe('readParameters', () => {
  it('joins every complaint in the order of the declaration', () => {
    const user = {
      email: text({ required: true }),
      secret: atLeastOneOf('password', 'reset_password', 'force_random_password'),
      name: text({ required: true }),
      username: text({ required: true }),
    };
    expect(complaintOf(user, {})).toBe(
      'email is missing, password, reset_password, force_random_password are missing, at least one parameter must be provided, name is missing, username is missing',
    );
    expect(complaintOf({ one: mutuallyExclusive('user_id', 'username') }, { user_id: 1, username: 'a' })).toBe(
      'user_id, username are mutually exclusive',
    );
  });

  it('coerces numbers, booleans, dates and lists as leniently as GitLab', () => {
    const declaration = { n: integer(), b: boolean(), d: date(), t: texts() };
    const read = (parameters: Record<string, unknown>) => readParameters(declaration, parameters);
    expect(read({ n: '40', b: 'True', d: '2027-01-01T10:00:00Z', t: 'a, b' })).toEqual({
      n: 40,
      b: true,
      d: '2027-01-01',
      t: ['a', 'b'],
    });
    expect(read({ n: 40.5, b: '0', d: '', t: ['a', 1] })).toEqual({ n: 40, b: false, d: null, t: ['a', '1'] });
    expect(read({ n: '', b: null })).toEqual({ n: null, b: null, d: undefined, t: undefined });
    expect(complaintOf(declaration, { n: 'x', b: 'maybe', d: '2027-02-30', t: [{}] })).toBe(
      'n is invalid, b is invalid, d is invalid, t is invalid',
    );
    expect(complaintOf(declaration, { n: '99999999999999999999' })).toBe('n is invalid');
  });

  it('names the place of a complaint within lists', () => {
    const levels = { levels: list({ access_level: numberChoice([30, 40]) }) };
    expect(complaintOf(levels, { levels: [{ access_level: 30 }, { access_level: 'x' }] })).toBe(
      'levels[1][access_level] is invalid, levels[1][access_level] does not have a valid value',
    );
    expect(readParameters(levels, { levels: null })).toEqual({ levels: [] });
    expect(readParameters(levels, { levels: [{ access_level: null }] })).toEqual({ levels: [{ access_level: null }] });
  });

  it('answers any JSON with values or a complaint, and never throws anything else', () => {
    const declaration = {
      name: text({ required: true }),
      list: list({ n: integer(), b: boolean() }, { required: true }),
      days: date(),
      tags: texts({ values: ['a', 'b'] }),
    };
    const value = fc.jsonValue();
    fc.assert(
      fc.property(
        fc.record({ name: value, list: value, days: value, tags: value }, { requiredKeys: [] }),
        (parameters) => {
          complaintOf(declaration, parameters);
        },
      ),
      { numRuns: 500 },
    );
  });
});

describe('parseNested', () => {
  const parse = (query: string) => JSON.parse(JSON.stringify(parseNested(new URLSearchParams(query)))) as unknown;

  it('reads lists, objects and lists of objects, in which a name that repeats begins the next', () => {
    expect(parse('a=1&b[]=2&b[]=3&c[d]=4&c[e][f]=5')).toEqual({ a: '1', b: ['2', '3'], c: { d: '4', e: { f: '5' } } });
    expect(parse('l[][a]=1&l[][b]=2&l[][a]=3')).toEqual({ l: [{ a: '1', b: '2' }, { a: '3' }] });
    expect(parse('a=1&a=2&[x]=3&b[=4')).toEqual({ a: '2', '[x]': '3', 'b[': '4' });
  });

  it('keeps the prototype of objects out of it', () => {
    expect(parse('__proto__[polluted]=1&constructor=2')).toMatchObject({ constructor: '2' });
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });
});
