import { describe, expect, it } from 'vitest';
import { applyChange, compareChange, mergeChanges } from './plan.ts';
import type { RemotePackage } from './plan.ts';
import type { OutboxChange } from './outbox-store.ts';

let lastId = 0;
function change(kind: OutboxChange['kind'], more: Partial<OutboxChange> = {}): OutboxChange {
  lastId += 1;
  return { id: lastId, at: 0, kind, projectId: 1, name: 'tool', version: '1.0.0', tag: null, value: null, ...more };
}

function remote(
  versions: Record<string, string | { integrity: string; deprecated: string }> = {},
  tags: Record<string, string> = {},
): RemotePackage {
  const entries = Object.entries(versions).map(([version, value]) => [
    version,
    typeof value === 'string' ? { integrity: value, deprecated: '' } : value,
  ]);
  return {
    versions: new Map(entries as [string, { integrity: string; deprecated: string }][]),
    tags: new Map(Object.entries(tags)),
  };
}

const here = {
  integrity: 'sha512-aa sha1-bb',
  isOurs: (version: string) => version.startsWith('1.'),
  wasSent: (): boolean => true,
};
const gone = { ...here, integrity: undefined };

describe('what is done about a change', () => {
  it.each([
    ['a version that is not there', change('publish'), remote(), here, 'new'],
    ['one with the same bytes', change('publish'), remote({ '1.0.0': 'sha512-aa' }), here, 'same'],
    ['one whose sha1 alone is known there', change('publish'), remote({ '1.0.0': 'sha1-bb' }), here, 'same'],
    ['one with other bytes', change('publish'), remote({ '1.0.0': 'sha512-cc' }), here, 'conflict'],
    ['one with another sha1', change('publish'), remote({ '1.0.0': 'sha1-cc' }), here, 'conflict'],
    ['one that is not here any more', change('publish'), remote(), gone, 'same'],
    ['a tag on a version that is there', change('tag.set', { tag: 'x' }), remote({ '1.0.0': '' }), here, 'new'],
    ['a tag that points there', change('tag.set', { tag: 'x' }), remote({ '1.0.0': '' }, { x: '1.0.0' }), here, 'same'],
    [
      'a tag on our other version',
      change('tag.set', { tag: 'x' }),
      remote({ '1.0.0': '' }, { x: '1.1.0' }),
      here,
      'new',
    ],
    ['a tag on theirs', change('tag.set', { tag: 'x' }), remote({ '1.0.0': '' }, { x: '2.0.0' }), here, 'conflict'],
    ['a tag on a version that is missing', change('tag.set', { tag: 'x' }), remote(), here, 'conflict'],
    ['a removed tag', change('tag.remove', { tag: 'x' }), remote({}, { x: '1.0.0' }), here, 'new'],
    ['a removed tag that is gone', change('tag.remove', { tag: 'x' }), remote(), here, 'same'],
    [
      'a removed tag that is theirs now',
      change('tag.remove', { tag: 'x' }),
      remote({}, { x: '2.0.0' }),
      here,
      'conflict',
    ],
    [
      'latest, which cannot be removed',
      change('tag.remove', { tag: 'latest' }),
      remote({}, { latest: '1.0.0' }),
      here,
      'same',
    ],
    ['a deprecation', change('deprecate', { value: 'old' }), remote({ '1.0.0': '' }), here, 'new'],
    [
      'a deprecation that is there',
      change('deprecate', { value: 'old' }),
      remote({ '1.0.0': { integrity: '', deprecated: 'old' } }),
      here,
      'same',
    ],
    ['a deprecation removed where none is', change('deprecate', { value: '' }), remote({ '1.0.0': '' }), here, 'same'],
    ['a deprecation of what is missing', change('deprecate', { value: 'old' }), remote(), here, 'conflict'],
    [
      "a deprecation of others' version",
      change('deprecate', { version: '2.0.0', value: 'old' }),
      remote({ '2.0.0': '' }),
      here,
      'conflict',
    ],
    [
      'an unpublish of the same bytes that others sent there',
      change('unpublish', { value: 'sha512-aa' }),
      remote({ '1.0.0': 'sha512-aa' }),
      { ...gone, wasSent: (): boolean => false },
      'same',
    ],
    ['an unpublish', change('unpublish', { value: 'sha512-aa' }), remote({ '1.0.0': 'sha512-aa' }), gone, 'new'],
    ['an unpublish of what is gone', change('unpublish', { value: 'sha512-aa' }), remote(), gone, 'same'],
    [
      'an unpublish of other bytes',
      change('unpublish', { value: 'sha512-aa' }),
      remote({ '1.0.0': 'sha512-cc' }),
      gone,
      'conflict',
    ],
    ['an unpublish of unknown bytes', change('unpublish'), remote({ '1.0.0': 'sha512-cc' }), gone, 'conflict'],
  ] as const)('%s', (_what, subject, there, local, verdict) => {
    expect(compareChange(subject, there, local).verdict).toBe(verdict);
  });

  it('is nothing once it was done', () => {
    const start = remote({ '1.0.0': 'sha512-aa' }, { x: '1.1.0' });
    for (const subject of [
      change('publish', { version: '1.2.0' }),
      change('tag.set', { tag: 'x' }),
      change('tag.remove', { tag: 'x' }),
      change('deprecate', { value: 'old' }),
      change('unpublish', { value: 'sha512-aa' }),
    ]) {
      expect(compareChange(subject, start, here).verdict, subject.kind).toBe('new');
      expect(compareChange(subject, applyChange(subject, start, here), here).verdict, subject.kind).toBe('same');
    }
  });
});

describe('what remains of many changes', () => {
  const never = (): boolean => false;

  it('leaves out a version that came and went, with its tags and messages', () => {
    const kept = change('publish', { version: '1.1.0' });
    const changes = [
      change('publish'),
      change('tag.set', { tag: 'latest' }),
      change('deprecate', { value: 'old' }),
      kept,
      change('unpublish', { value: 'sha512-aa' }),
    ];
    expect(mergeChanges(changes, never).effective).toEqual([kept]);
    expect(mergeChanges(changes, never).superseded).toHaveLength(4);
  });

  it('leaves out a deprecation that was removed again before its version is sent', () => {
    const publish = change('publish');
    const old = change('deprecate', { value: 'old' });
    const removed = change('deprecate', { value: '' });
    expect(mergeChanges([publish, old, removed], () => false).effective).toEqual([publish]);
    expect(mergeChanges([old, removed], () => true).effective).toEqual([removed]);
    const again = change('deprecate', { value: 'again' });
    expect(mergeChanges([publish, old, removed, again], () => false).effective).toEqual([publish, again]);
  });

  it('keeps an unpublish of what the upstream has', () => {
    const unpublish = change('unpublish', { value: 'sha512-aa' });
    expect(mergeChanges([unpublish], () => true).effective).toEqual([unpublish]);
    expect(mergeChanges([change('publish'), unpublish], () => true).effective).toEqual([unpublish]);
  });

  it('lets no change of one project undo or replace one of another', () => {
    const changes = [
      change('publish'),
      change('tag.set', { tag: 'x' }),
      change('unpublish', { projectId: 2, value: 'sha512-aa' }),
      change('tag.remove', { projectId: 2, tag: 'x' }),
    ];
    expect(mergeChanges(changes, never).effective).toEqual(changes);
  });

  it('takes the last meaning of a tag and the last message, and a version that was published again', () => {
    const tag = change('tag.set', { tag: 'x', version: '1.2.0' });
    const message = change('deprecate', { value: 'newer' });
    const again = change('publish');
    const changes = [
      change('tag.set', { tag: 'x' }),
      change('tag.remove', { tag: 'x' }),
      tag,
      change('publish'),
      change('unpublish'),
      again,
      change('deprecate', { value: 'old' }),
      message,
    ];
    expect(mergeChanges(changes, never).effective).toEqual([tag, again, message]);
  });
});
