import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { gitlabRoutes } from '../../../server/http/gitlab/gitlab-routes.ts';
import { methods } from '../../../server/http/route-matcher.ts';
import { useWorld, world } from './world.ts';

/** Clients retry a 5xx, so no mistake of theirs may lead to one. */
const routes = gitlabRoutes.flatMap((route) =>
  methods.filter((method) => route[method]).map((method) => ({ method, pattern: route.pattern })),
);

const names = `
  name path username email password force_random_password deploy_access_levels approval_rules access_level
  user_id group_id group_access expires_at scopes visibility namespace_id parent_id tier external_url
  description search page per_page order_by sort created_after before sudo
`
  .trim()
  .split(/\s+/);

const awkward = fc.constantFrom<unknown>(
  null,
  true,
  0,
  -1,
  1,
  40,
  1e308,
  '',
  ' ',
  '1',
  'x',
  '\u0000',
  '\ud800',
  '../..',
  '%',
  '💥',
  '__proto__',
  'constructor',
  '2027-01-01',
  '0000-00-00',
  [],
  [null],
  [[]],
  {},
  [{}],
  [{ access_level: 40 }],
  [{ user_id: 1 }],
  [{ id: 1, _destroy: true }],
  [{ group_id: 1, group_inheritance_type: 1 }],
  'x'.repeat(5000),
);
const body = fc.dictionary(fc.constantFrom(...names), fc.oneof(awkward, fc.jsonValue()));
const reference = fc.constantFrom(
  '1',
  'local%2Fpackages',
  'local',
  'local/packages',
  '0',
  '-1',
  'x',
  '99999999999999999999',
  '%00',
  '%F0%9F%92%A5',
  '%25',
  'self',
  'all',
  'production',
  '2',
  '3',
);
const query = fc.option(
  fc.dictionary(fc.constantFrom(...names, 'a[b]', 'a[]', 'a[][b]', '[', '__proto__[x]'), fc.string({ maxLength: 8 })),
  { nil: undefined },
);

useWorld();

describe('every route of the API', () => {
  it('answers any nonsense with less than 500, and with JSON where there is a body', async () => {
    const request = fc.record({
      route: fc.constantFrom(...routes),
      references: fc.array(reference, { minLength: 3, maxLength: 3 }),
      query,
      body: fc.oneof(body, fc.jsonValue()),
      asRoot: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(request, async ({ route, references, query, body, asRoot }) => {
        // Deleting what the others need would only make the rest of the walk dull.
        if (route.method === 'DELETE' && /^\/(groups|projects|users)\/:id$/.test(route.pattern)) return;
        const path = route.pattern.replace(/:\w+/g, () => references.pop() ?? '1');
        const text = query ? `?${new URLSearchParams(query).toString()}` : '';
        const token = asRoot ? undefined : world.maintainer.token;
        const answer = await world.call(route.method, `${path}${text}`, JSON.stringify(body), token);
        expect(answer.status, `${route.method} ${path}${text}: ${answer.text}`).toBeLessThan(500);
        if (answer.text !== '') answer.json();
      }),
      { numRuns: 1500 },
    );
  });
});
