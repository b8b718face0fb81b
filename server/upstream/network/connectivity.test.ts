import { beforeEach, describe, expect, it } from 'vitest';
import { Connectivity } from './connectivity.ts';
import { OutboundError } from './outbound-error.ts';

let now: number;
let timers: { at: number; work: () => void }[];
let events: string[];
let connectivity: Connectivity;

const network = new OutboundError('network', 'nothing listens there');
const broken = new OutboundError('status', 'error (500)', { status: 500 });

beforeEach(() => {
  now = 1_000_000;
  timers = [];
  events = [];
  connectivity = new Connectivity('auto', {
    clock: () => now,
    schedule(milliseconds, work) {
      const timer = { at: now + milliseconds, work };
      timers.push(timer);
      return () => void (timers = timers.filter((other) => other !== timer));
    },
    probe: async (id) => void events.push(`probe ${id}`),
    onChange: (id) => void events.push(`change ${id} ${connectivity.stateOf(id).status}`),
    onBack: (id) => void events.push(`back ${id}`),
  });
});

function pass(milliseconds: number): void {
  now += milliseconds;
  for (const timer of timers.filter(({ at }) => at <= now)) {
    timers = timers.filter((other) => other !== timer);
    timer.work();
  }
}

describe('the circuit breaker', () => {
  it('opens at once for one that cannot be reached, waits longer each time, and probes', () => {
    connectivity.failed(1, network);
    expect(connectivity.blockOf(1)).toMatchObject({ error: network });
    expect(connectivity.blockOf(2)).toBeUndefined();
    pass(2_001);
    expect(connectivity.blockOf(1)).toBeUndefined();
    connectivity.failed(1, network);
    pass(2_001);
    expect(connectivity.blockOf(1)).toBeDefined();
    pass(2_000);
    expect(connectivity.blockOf(1)).toBeUndefined();
    expect(events).toEqual(['change 1 away', 'probe 1', 'probe 1']);
  });

  it('is probed before a request that a person waits for, unless the registry requested the pause itself', async () => {
    connectivity.failed(1, network);
    connectivity.failed(2, new OutboundError('status', 'pause (429)', { status: 429 }));
    events = [];
    for (const upstreamId of [1, 2, 3]) await connectivity.retry(upstreamId);
    expect(events).toEqual(['probe 1']);
  });

  it('opens only after several failures of one that answers badly, and forgets it after one good answer', () => {
    connectivity.failed(1, broken);
    connectivity.failed(1, broken);
    expect(connectivity.blockOf(1)).toBeUndefined();
    connectivity.succeeded(1);
    connectivity.failed(1, broken);
    connectivity.failed(1, broken);
    expect(connectivity.blockOf(1)).toBeUndefined();
    connectivity.failed(1, broken);
    expect(connectivity.blockOf(1)).toBeDefined();
  });

  it('reports once that an upstream is back', () => {
    connectivity.succeeded(1);
    connectivity.succeeded(1);
    connectivity.failed(1, network);
    connectivity.succeeded(1);
    expect(events).toEqual(['change 1 reachable', 'back 1', 'change 1 away', 'change 1 reachable', 'back 1']);
  });

  it('probes soon when a package is wanted, however long the upstream was away: it took minutes until it was noticed', () => {
    for (let i = 0; i < 20; i += 1) connectivity.failed(1, network);
    pass(60_000);
    connectivity.hurry(1);
    pass(1);
    expect(events.at(-1)).toBe('probe 1');
    expect(connectivity.blockOf(1)).toBeUndefined();
    connectivity.failed(1, network);
    for (let i = 0; i < 5; i += 1) connectivity.hurry(1);
    events = [];
    pass(4_999);
    expect(events).toEqual([]);
    pass(2);
    expect(events).toEqual(['probe 1']);
  });

  it('never probes one sooner than it requested', () => {
    connectivity.failed(1, new OutboundError('status', '429', { status: 429, retryAfterSeconds: 60 }));
    connectivity.hurry(1);
    pass(59_000);
    expect(connectivity.blockOf(1)).toBeDefined();
    expect(events).toEqual(['change 1 away']);
  });

  it('never waits longer than five minutes', () => {
    for (let i = 0; i < 40; i += 1) connectivity.failed(1, network);
    expect(connectivity.stateOf(1).retryAt).toBe(now + 300_000);
  });
});

describe('the mode', () => {
  it('"on" lets nothing through and probes nothing', async () => {
    connectivity.succeeded(1);
    connectivity.mode = 'on';
    expect(connectivity.blockOf(1)).toMatchObject({ retryAt: null });
    expect(connectivity.stateOf(1).status).toBe('offline');
    events = [];
    await connectivity.probe(1);
    expect(events).toEqual([]);
  });

  it('is probed for at once when a person switches', () => {
    for (let i = 0; i < 20; i += 1) connectivity.failed(1, network);
    connectivity.mode = 'on';
    connectivity.mode = 'auto';
    expect(events.at(-1)).toBe('probe 1');
    expect(connectivity.blockOf(1)).toBeUndefined();
  });

  it('"off" lets every request through, but for an upstream that requested a pause', () => {
    connectivity.mode = 'off';
    connectivity.failed(1, network);
    expect(connectivity.blockOf(1)).toBeUndefined();
    connectivity.failed(1, new OutboundError('status', '429', { status: 429, retryAfterSeconds: 60 }));
    expect(connectivity.blockOf(1)).toBeDefined();
    pass(60_001);
    expect(connectivity.blockOf(1)).toBeUndefined();
  });
});
