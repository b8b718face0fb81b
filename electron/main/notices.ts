import type { AppState, BridgeEvent } from '../../server/contract/bridge.ts';

/** Something to tell a person who is not looking. */
export interface Notice {
  readonly kind: 'published' | 'login' | 'failed';
  readonly title: string;
  readonly body: string;
  /** The package to show when the notice is clicked; null for the window as it is. */
  readonly packageName: string | null;
}

/** What an event is worth telling; null for nothing. */
export function noticeOfEvent(event: BridgeEvent): Notice | null {
  if (event.topic === 'packages.changed' && event.payload.change === 'published') {
    const { name, version } = event.payload;
    return {
      kind: 'published',
      title: version === undefined ? name : `${name} ${version}`,
      body: 'A version was published.',
      packageName: name,
    };
  }
  if (event.topic === 'login.changed' && event.payload.change === 'requested') {
    return {
      kind: 'login',
      title: 'A client wants to log in',
      body: 'Open Gatehouse to compare the code and to allow or refuse it.',
      packageName: null,
    };
  }
  return null;
}

/** What a new state is worth telling; null for nothing. */
export function noticeOfState(state: AppState): Notice | null {
  if (state.phase !== 'failed') return null;
  return { kind: 'failed', title: 'The registry is not running', body: state.cause, packageName: null };
}

/** Several publishes in a row as one notice. */
export function noticeOfMany(count: number): Notice {
  return {
    kind: 'published',
    title: `${count} versions were published`,
    body: 'Open Gatehouse to see them.',
    packageName: null,
  };
}
