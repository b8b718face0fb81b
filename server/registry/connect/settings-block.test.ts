import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { hasBlock, npmrcLines, tokenInBlock, withBlock, withoutBlock, yamlProblem } from './settings-block.ts';

const target = { registry: 'http://localhost:4899/api/v4/projects/1/packages/npm/', scope: null, token: 'secret' };

describe('the block in an .npmrc', () => {
  it('holds a registry line and the token for exactly that address', () => {
    expect(npmrcLines({ ...target, scope: '@acme' })).toEqual([
      '@acme:registry=http://localhost:4899/api/v4/projects/1/packages/npm/',
      '//localhost:4899/api/v4/projects/1/packages/npm/:_authToken=secret',
    ]);
  });

  it('leaves every other line alone and comes out without a trace, whatever the file was', () => {
    fc.assert(
      fc.property(
        fc.string().filter((text) => !text.includes('gatehouse')),
        (text) => {
          const written = withBlock(text, target);
          expect(written.startsWith(text)).toBe(true);
          expect(hasBlock(written)).toBe(true);
          expect(withoutBlock(written)).toBe(text);
        },
      ),
    );
  });

  it('takes the place of an earlier block instead of piling up', () => {
    const once = withBlock('save-exact=true', target);
    const twice = withBlock(once, { ...target, token: 'other' });
    expect(twice.match(/_authToken/g)).toHaveLength(1);
    expect(twice).toContain('other');
    expect(withoutBlock(twice)).toBe('save-exact=true');
  });

  it.each(['npm', 'yarn1', 'yarn'] as const)('of %s that lost its last line takes nothing below it along', (tool) => {
    for (const scope of [null, '@acme']) {
      const written = withBlock('', { ...target, scope }, tool).replace(/^# <<<.*\n/m, '');
      const below = tool === 'yarn' ? 'nodeLinker: pnp\nplugins: []\n' : 'registry=http://other/\nsave-exact=true\n';
      expect(withoutBlock(written)).toBe('');
      expect(withoutBlock(`${written}${below}`)).toBe(below);
      expect(tokenInBlock(`${written}${below}//other/:_authToken=theirs\n`)).toBe('secret');
    }
  });

  it('keeps lines that somebody wrote below it', () => {
    const edited = `${withBlock('a=1\n', target)}b=2\n`;
    expect(withoutBlock(edited)).toBe('a=1\nb=2\n');
  });
});

describe('the block in a .yarnrc.yml', () => {
  it('sends the token to this registry only', () => {
    const text = withBlock('nodeLinker: node-modules\n', target, 'yarn');
    expect(parse(text)).toEqual({
      nodeLinker: 'node-modules',
      npmRegistryServer: 'http://localhost:4899/api/v4/projects/1/packages/npm',
      npmMinimalAgeGate: 0,
      npmRegistries: {
        '//localhost:4899/api/v4/projects/1/packages/npm': { npmAuthToken: 'secret', npmAlwaysAuth: true },
      },
      unsafeHttpWhitelist: ['localhost'],
    });
    expect(tokenInBlock(text)).toBe('secret');
    expect(withoutBlock(text)).toBe('nodeLinker: node-modules\n');
  });

  it('lets young versions in for the connected scope only', () => {
    const scoped = { ...target, registry: target.registry.replace('http:', 'https:'), scope: '@acme' };
    expect(parse(withBlock(null, scoped, 'yarn'))).toEqual({
      npmPreapprovedPackages: ['@acme/*'],
      npmScopes: {
        acme: {
          npmRegistryServer: 'https://localhost:4899/api/v4/projects/1/packages/npm',
          npmAuthToken: 'secret',
          npmAlwaysAuth: true,
        },
      },
    });
  });

  it.each(['npmRegistryServer: "https://elsewhere.test"\n', '{ nodeLinker: pnp }\n'])(
    'does not fit below %s',
    (text) => {
      expect(yamlProblem(text)).toBeUndefined();
      expect(yamlProblem(withBlock(text, target, 'yarn'))).toBeDefined();
    },
  );
});
