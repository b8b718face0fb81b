import { describe, expect, it } from 'vitest';
import {
  clientLines,
  firstPublishLine,
  linesWithToken,
  normalizeScope,
  registryUrl,
  tarballUrl,
  tokenFromFile,
} from './client-lines.ts';

const target = { origin: 'http://127.0.0.1:4899', projectId: 7, scope: '@acme' };

describe('firstPublishLine', () => {
  it('is one line for the shell of the system, with the token read when it runs', () => {
    const unix = firstPublishLine({ ...target, scope: '' }, "/home/o'neil/token");
    expect(unix).not.toContain('\n');
    expect(unix).toMatch(/^mkdir hello && cd hello && printf .* && npm init .* && printf '%s\\n' 'registry=http/);
    expect(unix).toContain(`export GATEHOUSE_TOKEN="$(cat '/home/o'\\''neil/token')" && npm publish`);
    const windows = firstPublishLine({ ...target, scope: '' }, 'C:\\Data\\token');
    expect(windows).toMatch(
      /^mkdir hello; cd hello; .*\| Set-Content README\.md; .*\| Set-Content \.npmrc; \$env:GATEHOUSE_TOKEN = .*; npm publish$/,
    );
  });
});

describe('tarballUrl', () => {
  it('has the scope in its path and not in its file name', () => {
    const folder = 'http://127.0.0.1:4899/api/v4/projects/7/packages/npm';
    expect(tarballUrl(target, '@acme/ui', '1.0.0')).toBe(`${folder}/@acme/ui/-/ui-1.0.0.tgz`);
    expect(tarballUrl(target, 'left-pad', '1.0.0')).toBe(`${folder}/left-pad/-/left-pad-1.0.0.tgz`);
  });
});

describe('linesWithToken', () => {
  it.each(['npm', 'pnpm', 'yarn', 'bun'] as const)('hands %s the token itself, in the home folder', (client) => {
    for (const scope of ['', '@acme']) {
      const { file, lines } = linesWithToken(client, { ...target, scope }, 'glpat-secret');
      const known = clientLines(client, { ...target, scope });
      expect(file).toMatch(/^~\/\.\w/);
      expect(lines).not.toContain('$');
      expect(lines.split('glpat-secret')).toHaveLength(2);
      expect(known.lines.split('\n')).toHaveLength(lines.split('\n').length);
    }
  });
});

describe('clientLines', () => {
  it('gives npm a registry for the scope and a token that is read from the environment', () => {
    expect(clientLines('npm', target).lines).toBe(
      [
        '@acme:registry=http://127.0.0.1:4899/api/v4/projects/7/packages/npm/',
        '//127.0.0.1:4899/api/v4/projects/7/packages/npm/:_authToken=${GATEHOUSE_TOKEN}',
      ].join('\n'),
    );
  });

  it('points every package at the project where no scope is given', () => {
    expect(clientLines('pnpm', { ...target, scope: '' }).lines).toMatch(/^registry=http/);
    expect(clientLines('bun', { ...target, scope: '' }).lines).toMatch(/^\[install\]\nregistry = /);
    expect(clientLines('yarn', { ...target, scope: '' }).lines).toMatch(/^npmRegistryServer: /);
  });

  it('lets Yarn read over http, with the token, what is younger than a day', () => {
    expect(clientLines('yarn', target).lines.split('\n')).toEqual([
      'npmScopes:',
      '  acme:',
      `    npmRegistryServer: "${registryUrl(target)}"`,
      '    npmAuthToken: "${GATEHOUSE_TOKEN:-}"',
      '    npmAlwaysAuth: true',
      'unsafeHttpWhitelist:',
      '  - "127.0.0.1"',
      'npmMinimalAgeGate: 0',
    ]);
    expect(clientLines('yarn', { ...target, origin: 'https://pkg.example' }).lines).not.toContain('unsafe');
  });

  it('writes lines in a CI job that keep the variable unexpanded', () => {
    expect(clientLines('ci', target).lines).toContain(":_authToken=${GATEHOUSE_TOKEN}' >> .npmrc");
  });
});

describe('tokenFromFile', () => {
  it('quotes what a shell would take apart', () => {
    expect(tokenFromFile("/home/o'neil/root token")).toBe(
      `export GATEHOUSE_TOKEN="$(cat '/home/o'\\''neil/root token')"`,
    );
    expect(tokenFromFile('C:\\Users\\me\\token')).toBe('$env:GATEHOUSE_TOKEN = Get-Content "C:\\Users\\me\\token"');
  });
});

describe('normalizeScope', () => {
  it.each([
    ['acme', '@acme', true],
    [' @acme/ui ', '@acme', true],
    ['', '', true],
    ['@', '', false],
    ['Ac me', '', false],
  ])('reads %j as %j', (typed, scope, valid) => {
    expect(normalizeScope(typed)).toEqual({ scope, valid });
  });
});
