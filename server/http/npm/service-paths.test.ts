import { expect, test } from 'vitest';
import { matchServicePath } from './service-paths.ts';

test.each([
  ['ping', ['ping'], {}],
  ['npm/v1/tokens/token/:key', ['npm', 'v1', 'tokens', 'token', 'abc'], { key: 'abc' }],
  ['stage/package/*name', ['stage', 'package', 'plain'], { name: 'plain' }],
  ['stage/package/*name', ['stage', 'package', '@acme/first'], { name: '@acme/first' }],
  ['stage/package/*name', ['stage', 'package', '@acme', 'first'], { name: '@acme/first' }],
  ['user/package/*name/star', ['user', 'package', '@acme', 'first', 'star'], { name: '@acme/first' }],
  ['npm/v1/attestations/*spec', ['npm', 'v1', 'attestations', '@acme', 'first@1.0.0'], { spec: '@acme/first@1.0.0' }],
])('%s takes %j apart', (pattern, path, parameters) => {
  expect(matchServicePath(pattern, path)).toEqual(parameters);
});

test.each([
  ['ping', []],
  ['ping', ['ping', 'more']],
  ['stage/:id', ['stage']],
  ['stage/:id', ['stages', 'x']],
  ['user/package/*name/star', ['user', 'package', 'plain']],
  ['user/package/*name/star', ['user', 'package', 'plain', 'other']],
])('%s is not %j', (pattern, path) => {
  expect(matchServicePath(pattern, path)).toBeUndefined();
});
