import { describe, expect, it } from 'vitest';
import { afterApproval, closedBy, factText, progressOf, wishOf } from './release-text.ts';

const release = { kind: 'version', name: 'lib', version: '2.0.0', tags: ['latest'], current: ['1.0.0'] } as const;
const rule = (required: number, approved: number) => ({
  description: 'Maintainers',
  group: null,
  required,
  approvedBy: Array.from({ length: approved }, (_, id) => ({ id, username: `u${id}`, name: '' })),
});

describe('the words for what waits', () => {
  it('say what is asked for, and where the tag points now', () => {
    expect(wishOf({ ...release, tags: ['latest'], current: ['1.0.0'] })).toBe(
      'wants to publish this version and move latest from 1.0.0 to it',
    );
    expect(wishOf({ kind: 'tag', tags: ['next'], current: [null] })).toBe(
      'wants to give this version the new tag next',
    );
  });

  it('count an approval beyond what a rule asks for as none', () => {
    const gates = [{ environment: 'production', tags: ['latest'], rules: [rule(1, 3), rule(2, 0)] }];
    expect(progressOf({ gates, missing: '2 approvals from Maintainers' })).toBe('1 of 3 approvals');
  });

  it('call what needs nothing more ready', () => {
    const gates = [{ environment: 'production', tags: ['latest'], rules: [rule(1, 1)] }];
    expect(progressOf({ gates, missing: '' })).toBe('Ready');
    expect(progressOf({ gates: [], missing: '' })).toBe('0 of 1 approval');
  });

  it('say before the act whether it publishes', () => {
    expect(afterApproval({ ...release, tags: ['latest'] }, '')).toMatch(/published at once, and latest points to it/);
    expect(afterApproval({ ...release, kind: 'tag', tags: ['latest', 'lts'] }, '')).toBe(
      'latest and lts move to 2.0.0 at once.',
    );
    expect(afterApproval({ ...release, tags: ['latest'] }, '1 approval from Maintainers')).toBe(
      'lib@2.0.0 keeps waiting. It still needs 1 approval from Maintainers.',
    );
  });

  it('name the requests that a change of a package closes', () => {
    const moved = { ...release, projectId: 1, tags: ['latest'] };
    const ask = { ...moved, kind: 'tag', version: '1.0.0' } as const;
    expect(closedBy(moved, [moved, ask])).toBe('The request to move latest to 1.0.0 is closed as outdated.');
    expect(closedBy({ ...moved, tags: ['next', 'latest'] }, [ask, { ...ask, tags: ['next'] }])).toBe(
      'The requests to move latest to 1.0.0, next to 1.0.0 are closed as outdated.',
    );
    const others = [
      { ...ask, tags: ['next'] },
      { ...ask, name: 'app' },
      { ...ask, projectId: 2 },
    ];
    expect(closedBy(moved, others)).toBe('');
    expect(closedBy({ ...moved, tags: [], unpublished: ['1.0.0'] }, [ask])).toMatch(/^The request to move latest/);
  });

  it('show facts of a manifest without brackets', () => {
    expect(factText('MIT')).toBe('MIT');
    expect(factText('{"node":">=20","npm":">=11"}')).toBe('node >=20, npm >=11');
    expect(factText('[{"name":"ada","email":"a@b.c"},{"name":"bob"}]')).toBe('ada, bob');
    expect(factText(null)).toBe('none');
  });
});
