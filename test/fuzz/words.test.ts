import fc from 'fast-check';
import semver from 'semver';
import validateNpmPackageName from 'validate-npm-package-name';
import { describe, expect, test } from 'vitest';
import { GatehouseError } from '../../server/contract/errors.ts';
import { authenticate } from '../../server/http/authenticate.ts';
import { TokenGuard } from '../../server/http/token-guard.ts';
import { parseNpmPath } from '../../server/http/npm/npm-path.ts';
import { npmRoutes } from '../../server/http/npm/npm-routes.ts';
import { RouteMatcher } from '../../server/http/route-matcher.ts';
import { Base64Decoder } from '../../server/lib/base64-decoder.ts';
import { DocumentSplitter } from '../../server/registry/publish/document-splitter.ts';
import { defaultUploadLimits } from '../../server/registry/publish/upload-limits.ts';
import { nameProblem } from '../../server/registry/package-name.ts';
import { isValidVersion, tagProblem } from '../../server/registry/package-version.ts';
import { scaled } from '../support/scale.ts';
import { hostileJson, hostileText, pathPiece } from './support/arbitraries.ts';

const numRuns = scaled('GATEHOUSE_FUZZ_RUNS', { short: 3000, full: 200_000 });

const nearName = fc.oneof(hostileText, fc.stringMatching(/^@?[a-zA-Z0-9._~-]{0,20}(?:\/[a-zA-Z0-9._~-]{0,20}){0,2}$/));
const nearVersion = fc.oneof(
  hostileText,
  fc.stringMatching(/^v?[0-9]{0,4}(?:\.[0-9]{0,4}){0,3}(?:-[0-9a-zA-Z.-]{0,12})?(?:\+[0-9a-zA-Z.-]{0,12})?$/),
);

describe('names, versions and tags', () => {
  test('a name that is taken here is one that npm takes', () => {
    fc.assert(
      fc.property(nearName, (name) => {
        if (nameProblem(name) !== undefined) return;
        expect(validateNpmPackageName(name).validForOldPackages).toBe(true);
        expect(name).toMatch(/^[\u0021-\u007e]{1,214}$/);
        expect(name).not.toMatch(/\\|\.\.\/|^\.|\/\./);
      }),
      { numRuns },
    );
  });

  test('a name that is taken here comes back out of every way to write it in a path', () => {
    fc.assert(
      fc.property(nearName, (name) => {
        if (nameProblem(name) !== undefined) return;
        const forms = [name, name.replace('/', '%2f'), name.replace('/', '%2F'), encodeURIComponent(name)];
        for (const form of forms) {
          const parsed = parseNpmPath(`/api/v4/projects/1/packages/npm/${form}`);
          const match = new RouteMatcher(npmRoutes).match('GET', parsed?.segments ?? []);
          expect(match, form).toMatchObject({ kind: 'route', route: { pattern: '/*name' }, parameters: { name } });
        }
      }),
      { numRuns },
    );
  });

  test('a version that is taken here is one that semver takes as it is', () => {
    fc.assert(
      fc.property(nearVersion, (version) => {
        if (!isValidVersion(version)) return;
        expect(semver.valid(version)).toBe(version.replace(/\+.*$/, ''));
      }),
      { numRuns },
    );
  });

  test('a tag that is taken here is no range and can stand in a path', () => {
    fc.assert(
      fc.property(fc.oneof(hostileText, nearVersion), (tag) => {
        if (tagProblem(tag) !== undefined) return;
        expect(semver.validRange(tag)).toBeNull();
        expect(tag).toMatch(/^[^ /\\?#%&]+$/);
      }),
      { numRuns },
    );
  });
});

test('any path is a route, no route, or refused for a reason', () => {
  fc.assert(
    fc.property(
      fc.array(pathPiece, { maxLength: 6 }),
      fc.constantFrom('/api/v4/projects/', '/api/v4/groups/', '/api/v4/packages/npm/', '/'),
      (pieces, start) => {
        try {
          parseNpmPath(start + pieces.join('/'));
        } catch (error) {
          expect(error).toBeInstanceOf(GatehouseError);
          expect((error as GatehouseError).status).toBeLessThan(500);
        }
      },
    ),
    { numRuns },
  );
});

test('any headers and query hold a token or none', () => {
  fc.assert(
    fc.property(
      hostileText,
      hostileText,
      fc.constantFrom('authorization', 'private-token', 'job-token', 'deploy-token'),
      (text, query, header) => {
        const request = {
          url: `/x?private_token=${encodeURIComponent(query.toWellFormed())}`,
          headers: { [header]: text },
        };
        const asked: string[] = [];
        const lookUp = (token: string): never => {
          asked.push(token);
          throw new GatehouseError('unauthenticated');
        };
        try {
          authenticate(new TokenGuard({ authenticate: lookUp }), request as never, { address: null, jobTokens: true });
        } catch (error) {
          expect(error).toBeInstanceOf(GatehouseError);
        }
        expect(asked.filter((token) => token.trim() === '')).toEqual([]);
      },
    ),
    { numRuns },
  );
});

/** A document as the parser keeps it: of every manifest but the first only whether it is deprecated. */
function withBriefManifests(document: { versions: unknown }): unknown {
  const { versions } = document;
  if (typeof versions !== 'object' || versions === null || Array.isArray(versions)) return document;
  const isManifest = (value: unknown) => typeof value === 'object' && value !== null && !Array.isArray(value);
  const first = Object.values(versions).find(isManifest);
  const brief = Object.entries(versions).map(([key, value]: [string, unknown]) => {
    if (!isManifest(value) || value === first) return [key, value] as const;
    return [
      key,
      Object.hasOwn(value as object, 'deprecated') ? { deprecated: (value as { deprecated: unknown }).deprecated } : {},
    ] as const;
  });
  return { ...document, versions: Object.fromEntries(brief) };
}

describe('the upload parser', () => {
  test('reads any document in any pieces as JSON.parse does', () => {
    fc.assert(
      fc.property(
        hostileJson,
        fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 10 }),
        (value, sizes) => {
          const document = {
            name: 'x',
            versions: value,
            _attachments: { 'x.tgz': { content_type: value, length: 3 } },
          };
          const bytes = Buffer.from(JSON.stringify(document));
          const splitter = new DocumentSplitter(defaultUploadLimits.document);
          try {
            for (let at = 0, turn = 0; at < bytes.length; turn += 1) {
              const size = sizes[turn % sizes.length] ?? 1;
              expect(splitter.push(bytes.subarray(at, at + size))).toEqual([]);
              at += size;
            }
            expect(splitter.end()).toEqual(withBriefManifests(JSON.parse(bytes.toString()) as typeof document));
          } catch (error) {
            // Keys of more than a kilobyte at the top are refused.
            expect(error).toBeInstanceOf(GatehouseError);
          }
        },
      ),
      { numRuns: Math.ceil(numRuns / 4) },
    );
  });

  test('decodes base64 in any pieces, and nothing else', () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ maxLength: 300 }),
        fc.integer({ min: 1, max: 50 }),
        fc.option(fc.tuple(fc.nat(), fc.constantFrom(' ', '\n', '-', '_', '=', '!', '\u0000', 'é')), {
          nil: undefined,
        }),
        (bytes, size, spoil) => {
          const right = Buffer.from(bytes).toString('base64');
          const at = spoil ? spoil[0] % (right.length + 1) : 0;
          const text = spoil ? right.slice(0, at) + spoil[1] + right.slice(at) : right;
          const decoder = new Base64Decoder();
          const pieces: Buffer[] = [];
          const encoded = Buffer.from(text, 'latin1');
          let isRefused = false;
          for (let position = 0; position < encoded.length; position += size) {
            const piece = decoder.push(encoded.subarray(position, position + size));
            if (!piece) {
              isRefused = true;
              break;
            }
            pieces.push(piece);
          }
          if (!isRefused && decoder.end()) expect(Buffer.concat(pieces).toString('base64')).toBe(text);
          else expect(spoil).toBeDefined();
        },
      ),
      { numRuns },
    );
  });
});
