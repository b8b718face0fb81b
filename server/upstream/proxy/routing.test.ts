import { describe, expect, it } from 'vitest';
import { isSelected, routeName } from './routing.ts';
import type { UpstreamRow } from '../upstream-store.ts';
import { defaultSettings } from '../upstreams.ts';

function upstream(name: string, scopes: string[], more: Partial<UpstreamRow> = {}): UpstreamRow {
  return { ...defaultSettings, id: name.length, name, kind: 'npm', url: 'http://x', scopes, ...more };
}

const npm = upstream('npm', ['*']);
const mirror = upstream('mirror', ['*']);
const company = upstream('company', ['@acme']);
const archive = upstream('bundles', [], { kind: 'archive' });
const off = upstream('off', ['*', '@acme'], { enabled: false });
const all = [npm, mirror, company, archive, off];

describe('where a name may be asked', () => {
  it.each([
    ['lodash', ['npm', 'mirror', 'bundles']],
    ['@types/node', ['npm', 'mirror', 'bundles']],
    ['@acme/tool', ['company', 'bundles']],
    ['@ACME/tool', ['company', 'bundles']],
    ['@local/tool', ['bundles']],
    ['@LOCAL/tool', ['bundles']],
  ])('%s', (name, expected) => {
    expect(routeName(name, all, /^@local/i.test(name) ? 'scope' : undefined).map((row) => row.name)).toEqual(expected);
  });

  it('is where the settings say even for a local scope, since they name that very scope', () => {
    expect(routeName('@acme/tool', all, 'scope').map((row) => row.name)).toEqual(['company', 'bundles']);
  });

  it('is nowhere for a claimed name, whatever the settings say of its scope', () => {
    expect(routeName('@acme/tool', all, 'name').map((row) => row.name)).toEqual(['bundles']);
    expect(routeName('lodash', all, 'name').map((row) => row.name)).toEqual(['bundles']);
  });

  it('is nowhere without upstreams', () => {
    expect(routeName('lodash', [off], undefined)).toEqual([]);
  });
});

it.each([
  ['@acme/tool', '@acme', true],
  ['@acme/tool', '@acme/*', true],
  ['@acme/tool', '@acme/tool', true],
  ['@acmes/tool', '@acme', false],
  ['lodash', '*', true],
  ['lodash-es', 'lodash', false],
  ['lodash-es', 'lodash-*', true],
])('%s is meant by %s: %s', (name, selector, expected) => {
  expect(isSelected(name, [selector])).toBe(expected);
});
