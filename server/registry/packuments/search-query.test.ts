import { expect, test } from 'vitest';
import { parseSearchText } from './search-query.ts';

const nothing = { terms: [], keywords: [], scopes: [], people: [], deprecated: undefined, impossible: false };

test.each([
  ['', nothing],
  ['  react   dom ', { ...nothing, terms: ['react', 'dom'] }],
  ['@acme/first', { ...nothing, terms: ['@acme/first'] }],
  ['keywords:a,b keywords:c', { ...nothing, keywords: [['a', 'b'], ['c']] }],
  ['scope:acme scope:@other', { ...nothing, scopes: ['@acme', '@other'] }],
  ['maintainer:ann author:=bob', { ...nothing, people: ['ann', 'bob'] }],
  ['is:deprecated', { ...nothing, deprecated: true }],
  ['not:deprecated not:unstable', { ...nothing, deprecated: false }],
  ['http:thing', { ...nothing, terms: ['http:thing'] }],
  ['@ "*" --', { ...nothing, impossible: true }],
])('reads %j', (text, expected) => {
  expect(parseSearchText(text)).toEqual(expected);
});

test('reads no more of a text than people write', () => {
  expect(parseSearchText('word '.repeat(100_000)).terms).toHaveLength(20);
});
