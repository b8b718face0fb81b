import { describe, expect, it, vi } from 'vitest';
import type { BridgeEvent } from '../../../server/contract/bridge.ts';

vi.mock('electron', () => ({}));
const { noticeOfEvent, noticeOfMany, noticeOfState } = await import('./notifier.ts');

function packagesChanged(change: 'published' | 'tags'): BridgeEvent {
  return {
    seq: 1,
    topic: 'packages.changed',
    payload: { projectId: 1, packageId: 1, name: '@acme/boiler', change, version: '1.0.0' },
  };
}

function releasesChanged(change: 'waiting' | 'approved' | 'ended'): BridgeEvent {
  return {
    seq: 1,
    topic: 'releases.changed',
    payload: { projectId: 1, name: '@acme/boiler', version: '1.0.0', change },
  };
}

describe('what is worth a notice', () => {
  it('is a publish, a login that waits, and a registry that does not run', () => {
    expect(noticeOfEvent(packagesChanged('published'))).toMatchObject({ title: '@acme/boiler 1.0.0' });
    expect(noticeOfEvent({ seq: 2, topic: 'login.changed', payload: { change: 'requested' } })?.kind).toBe('login');
    const failed = { phase: 'failed', failure: 'crashed', cause: 'It fell.', remedy: '', logTail: [] } as const;
    expect(noticeOfState(failed)).toMatchObject({ kind: 'failed', body: 'It fell.' });
  });

  it('is a release that begins to wait, and leads to the inbox', () => {
    const notice = noticeOfEvent(releasesChanged('waiting'));
    expect(notice).toMatchObject({
      title: '@acme/boiler 1.0.0 waits for approval',
      address: 'app://gatehouse/#/inbox',
    });
    expect(noticeOfEvent(releasesChanged('approved'))).toBeNull();
    expect(noticeOfEvent(releasesChanged('ended'))).toBeNull();
  });

  it('is one notice for publishes in quick succession, which leads to the packages', () => {
    expect(noticeOfMany(3)).toMatchObject({
      title: '3 versions were published',
      address: 'app://gatehouse/#/packages',
    });
  });

  it('is nothing else', () => {
    expect(noticeOfEvent(packagesChanged('tags'))).toBeNull();
    expect(noticeOfEvent({ seq: 2, topic: 'login.changed', payload: { change: 'settled' } })).toBeNull();
    expect(noticeOfState({ phase: 'starting' })).toBeNull();
  });
});
